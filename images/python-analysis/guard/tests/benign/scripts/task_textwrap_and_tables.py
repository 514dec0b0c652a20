import textwrap
from pprint import pformat, pprint

paragraph = (
    "Python is a high-level, general-purpose programming language. Its design philosophy "
    "emphasizes code readability with the use of significant indentation."
)
print(textwrap.fill(paragraph, width=40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(paragraph, width=50, placeholder="..."))
print(textwrap.dedent("""\
    def f():
        return 1
    """), end="")
print(textwrap.indent("a\nb\n", "> "))


def table(rows, headers):
    widths = [max(len(str(r[i])) for r in [headers, *rows]) for i in range(len(headers))]
    line = "+" + "+".join("-" * (w + 2) for w in widths) + "+"
    out = [line, "| " + " | ".join(h.ljust(w) for h, w in zip(headers, widths)) + " |", line]
    for row in rows:
        cells = [str(c).rjust(w) if isinstance(c, (int, float)) else str(c).ljust(w) for c, w in zip(row, widths)]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out + [line])


print(table([("pi", 3.14159), ("e", 2.71828), ("answer", 42)], ["name", "value"]))
nested = {"b": [list(range(12)), {"deep": {"deeper": ("x",) * 3}}], "a": {"k" * 10: "v" * 30}}
pprint(nested, width=60)
print(pformat(nested, depth=2, compact=True))
