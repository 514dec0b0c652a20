import re
from graphlib import TopologicalSorter, CycleError


class Sheet:
    REF = re.compile(r"\b([A-Z]+)(\d+)\b")

    def __init__(self):
        self.cells = {}
        self.functions = {"SUM": sum, "MAX": max, "MIN": min, "AVG": lambda xs: sum(xs) / len(xs), "LEN": len}

    def __setitem__(self, ref, content):
        self.cells[ref] = content

    def __getitem__(self, ref):
        return self.calculate()[ref]

    def references(self, content):
        return {m.group() for m in self.REF.finditer(content)} if isinstance(content, str) and content.startswith("=") else set()

    def expand(self, formula):
        def columns(m):
            col, first, col2, last = m.groups()
            if col != col2:
                raise ValueError("only column ranges")
            return "[" + ", ".join(f"{col}{r}" for r in range(int(first), int(last) + 1)) + "]"
        return re.sub(r"([A-Z]+)(\d+):([A-Z]+)(\d+)", columns, formula)

    def calculate(self):
        expanded = {r: self.expand(c) if isinstance(c, str) else c for r, c in self.cells.items()}
        order = TopologicalSorter({r: self.references(c) for r, c in expanded.items()}).static_order()
        values = {}
        for ref in order:
            content = expanded.get(ref, 0)
            if isinstance(content, str) and content.startswith("="):
                try:
                    values[ref] = eval(content[1:], {"__builtins__": {}}, {**self.functions, **values})
                except ZeroDivisionError:
                    values[ref] = "#DIV/0!"
                except Exception as e:
                    values[ref] = f"#{type(e).__name__}"
            else:
                values[ref] = content
        return values


s = Sheet()
s["A1"], s["A2"], s["A3"] = 10, 20, "=A1*A2"
s["B1"] = "=SUM(A1:A3)/LEN(A1:A3)"
s["B2"] = "=A1/(A1-10)"
s["B3"] = "=MAX(A1, B1) if A1 > 5 else 0"
s["C1"] = "text"
for ref, value in sorted(s.calculate().items()):
    print(ref, "=", round(value, 2) if isinstance(value, float) else value)
s["A1"] = "=B1"
try:
    s["A3"]
except CycleError as e:
    print("cycle", set(e.args[1]) <= {"A1", "A3", "B1"})
