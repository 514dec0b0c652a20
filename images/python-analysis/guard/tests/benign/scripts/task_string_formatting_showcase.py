import math
from string import Template, ascii_lowercase, capwords

name, value, items = "Ada", 1234567.891, ["x", "y"]
print(f"{name!r:>10}|{value:,.2f}|{value:.3e}|{value:015.1f}|{42:#x}|{42:08b}|{0.256:.1%}")
print("{0:<8}{1:^8}{2:>8}".format("left", "mid", "right"))
print("{user[name]} has {items[0]} and {n.real}".format(user={"name": name}, items=items, n=3 + 4j))
print("%-10s|%5d|%05.1f|%x|%c" % ("old", 42, math.pi, 255, "A"))
width = 12
print(f"{'centred':*^{width}}", f"{value=:.1f}", f"{'nested ' + f'{name}'}")
print(Template("$who owes $$${amount}").substitute(who=name, amount=5))
print(Template("$a $b").safe_substitute(a=1))
print(capwords("the quick brown fox"), "title case it's".title(), "ÄÖÜß".casefold())
print("a,b,,c".split(","), "  trim ".strip(), "x=1;y=2".partition(";"), "abc".translate(str.maketrans("abc", "123")))
print("tab\tsep".expandtabs(8), "line1\nline2".splitlines(), "z".zfill(3), "ab" * 3, "-".join(ascii_lowercase[:5]))
print("naïve café".encode("utf-8"), "naïve".encode("ascii", "replace"), b"caf\xc3\xa9".decode())
print("{:>{w}.{p}f}".format(math.e, w=10, p=3), format(255, "o"), format(0.5, "%"))
for row in [("apple", 1.5, 10), ("banana", 0.25, 150)]:
    print("{:<10s} {:>6.2f} {:>5d}".format(*row))
print("prefix_name".removeprefix("prefix_"), "file.txt".removesuffix(".txt"), "Hello"[::-1], "abc" < "abd", "x" in "xyz")
