from datetime import date
from decimal import Decimal
from string import Template
import textwrap

value, name, when = 1234.5678, "SBP", date(2024, 2, 29)
print(f"{value:10.2f}|{value:<12,.1f}|{value:e}|{value:+.0f}|{value:.3g}|{0.256:.1%}|{255:#x}|{5:03d}|{name!r:>8}|{name:^9}|{when:%d.%m.%Y}|{when!s}")
width, digits = 12, 3
print(f"{value:>{width}.{digits}f}", f"{value=:.1f}", f"{'nested ' + f'{name.lower()}'}", f"{{braces}}", f"{Decimal('1.10') + 1}")
print("{:.2f}".format(value), "{0} and {1!r} and {0:>5}".format(name, "x"), "{first}-{last}".format(first=1, last=2))
print("{0[a]} {1.year} {items[0]}".format({"a": 1}, when, items=[7]), "{:{}}".format("x", 5) + "|", "{:,}".format(1234567))
print("%s has %d rows, %5.1f%% done, %-6s|%05d" % (name, 3, 45.678, "ab", 42), "%(k)s" % {"k": "v"})
print("{a} {b}".format_map({"a": 1, "b": 2}), Template("$who has ${n} visits").substitute(who="P01", n=3))
rows = [("age", 54.2, 11.1), ("bmi", 27.9, 4.456)]
header = ("name", "mean", "sd")
print("".join(f"{h:>8}" for h in header))
for row in rows:
    print("{:>8}{:8.1f}{:8.2f}".format(*row))
line = "{:<6}|" * 2
print(line.format("a", "b"))
print(textwrap.fill("a long sentence that has to be wrapped at some width", 20), textwrap.dedent("   x\n   y"), textwrap.shorten("one two three", 9))
print(", ".join(map(str, [1, 2.5, None, True])), "abc".center(9, "*"), "x".zfill(4), "a,b,,c".split(","), "Title Case".swapcase(), "tEST".capitalize())
print("line1\nline2".splitlines(), "prefix_name".removeprefix("prefix_"), "a=b".partition("="), str.maketrans("ab", "xy"), "aabb".translate(str.maketrans("ab", "xy")))
print("Ω".encode("utf-8"), b"\xce\xa9".decode(), "ß".casefold(), "é".isalpha(), ascii("é"), repr("a'b"), chr(9731), ord("A"))
