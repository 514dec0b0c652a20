import difflib
import pprint
import string
import unicodedata
from collections import Counter
from string import Template, Formatter, ascii_lowercase

OLD = """The quick brown fox
jumps over the lazy dog
and runs away
""".splitlines(keepends=True)
NEW = """The quick red fox
jumps over the lazy dog
and sleeps
the end
""".splitlines(keepends=True)

print("".join(difflib.unified_diff(OLD, NEW, "old.txt", "new.txt")))
print("".join(difflib.ndiff(OLD, NEW)))
sm = difflib.SequenceMatcher(None, "kitten", "sitting")
print(round(sm.ratio(), 3), [op[:3] for op in sm.get_opcodes()])
print(sm.find_longest_match(0, 6, 0, 7))
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]))
print(difflib.HtmlDiff().make_table(OLD, NEW)[:60].strip())
t = Template("Dear $name, you owe ${amount} EUR. $$")
print(t.substitute(name="Ann", amount=5), t.safe_substitute(name="Bob"))
try:
    t.substitute(name="x")
except KeyError as e:
    print("missing", e)


class Percent(Template):
    delimiter = "%"
    idpattern = r"[a-z]+"


print(Percent("%who is here").substitute(who="Eve"))


class Upper(Formatter):
    def convert_field(self, value, conversion):
        if conversion == "u":
            return str(value).upper()
        return super().convert_field(value, conversion)

    def get_value(self, key, args, kwargs):
        if isinstance(key, str):
            return kwargs.get(key, f"<{key}>")
        return super().get_value(key, args, kwargs)


print(Upper().format("{name!u} and {other} {0}", 1, name="ann"))
print([x[:3] for x in Formatter().parse("a{b:>3}c{d!r}")])
data = {"name": "x" * 30, "values": list(range(25)), "nested": {"a": {"b": {"c": [1, 2, (3, 4)]}}}}
pprint.pprint(data, width=50, compact=True)
pprint.pp({"b": 1, "a": 2})
print(pprint.pformat(data, depth=2))
word = "Ångström café ﬁ"
print(unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode(), [unicodedata.category(c) for c in "aA1 ."], unicodedata.name("é"))
table = str.maketrans(ascii_lowercase, ascii_lowercase[13:] + ascii_lowercase[:13])
print("hello".translate(table), "x-y_z".translate(str.maketrans("", "", string.punctuation)))
print(f"{'left':<10}|{'mid':^10}|{'right':>10}|{3.14159:+.2e}|{255:#x}|{1234567:,}|{0.256:.1%}|{5!r:>4}|{'a':*^5}")
width, precision = 10, 3
print(f"{3.14159:{width}.{precision}f} {width=} {word.upper()=}")
print("%-10s|%05d|%.3f|%x|%s%%" % ("a", 42, 2.5, 255, 10), "{:>{w}}".format("r", w=5), "{0[1]} {1.real}".format([1, 2], 3))
print(Counter("mississippi").most_common(2), "a,b,,c".split(","), "  x ".strip(), "abc".partition("b"), "Hello World".swapcase(), "x".zfill(4), "a\tb".expandtabs(4))
