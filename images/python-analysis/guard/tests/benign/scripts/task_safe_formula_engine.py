"""A spreadsheet whose cells hold formulas."""
import math
import re


class CircularReference(Exception):
    pass


class Sheet:
    FUNCS = {"SUM": lambda *a: sum(a), "AVG": lambda *a: sum(a) / len(a), "SQRT": math.sqrt, "MAX": max, "MIN": min}

    def __init__(self):
        self.cells = {}

    def __setitem__(self, ref, value):
        self.cells[ref.upper()] = value

    def __getitem__(self, ref):
        return self._value(ref.upper(), ())

    def _value(self, ref, stack):
        if ref in stack:
            raise CircularReference(" -> ".join([*stack, ref]))
        raw = self.cells.get(ref, 0)
        if not isinstance(raw, str) or not raw.startswith("="):
            return raw
        expr = raw[1:]
        names = {m: self._value(m, (*stack, ref)) for m in re.findall(r"\b[A-Z]+\d+\b", expr)}
        return eval(expr, {"__builtins__": {}}, {**self.FUNCS, **names})


s = Sheet()
s["a1"], s["a2"], s["a3"] = 3, 4, "=A1 + A2 * 2"
s["b1"] = "=SQRT(A1 ** 2 + A2 ** 2)"
s["b2"] = "=AVG(A1, A2, A3)"
print(s["a3"], s["b1"], s["b2"])
s["c1"], s["c2"] = "=C2", "=C1"
try:
    s["c1"]
except CircularReference as e:
    print("circular:", e)
s["d1"] = "=UNKNOWN(1)"
try:
    s["d1"]
except NameError as e:
    print(e)
