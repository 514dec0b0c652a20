import sys
import shutil
from typing import Sequence, Literal, Union

Align = Literal["l", "r", "c"]
Cell = Union[str, int, float, None]


def fmt(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "✓" if cell else "✗"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return str(cell)


def table(rows: Sequence[Sequence[Cell]], headers: Sequence[str], align: Sequence[Align] | None = None) -> str:
    align = align or ["l"] * len(headers)
    text = [[fmt(c) for c in row] for row in rows]
    widths = [max(len(r[i]) for r in [list(headers), *text]) for i in range(len(headers))]
    just = {"l": str.ljust, "r": str.rjust, "c": str.center}

    def line(cells):
        return "| " + " | ".join(just[a](c, w) for c, w, a in zip(cells, widths, align)) + " |"

    rule = "|" + "|".join((":" if a in "lc" else "-") + "-" * w + (":" if a in "rc" else "-") for w, a in zip(widths, align)) + "|"
    return "\n".join([line(headers), rule, *map(line, text)])


rows = [("Aspirin", 3, 0.5, True), ("Ibuprofen", 12, 1.25, False), ("Zinc", None, 10.0, True)]
print(table(rows, ["drug", "packs", "dose", "otc"], ["l", "r", "r", "c"]))
width = shutil.get_terminal_size(fallback=(80, 24)).columns
print("-" * min(width, 20))
print("done", file=sys.stderr)
print(*map(fmt, (True, None, 2.345, "x")), sep="/", end="\n\n", flush=True)
sys.stdout.write(f"{'centered':^20}|{255:#x}|{1234567.891:,.1f}|{0.256:.1%}|{-5:+d}|{'é':>3}\n")
print("{0:>{width}} {name!r}".format("a", width=5, name="b"), "%-5s|%05.1f|%x" % ("ab", 3.14159, 255))
