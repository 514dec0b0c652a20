import base64
import binascii
import difflib
import hashlib
import hmac
import html
import json
import re
import secrets
import string
import struct
import textwrap
import unicodedata
import uuid
import zlib
from string import Template, Formatter

t = Template("Hello $name, you owe $$${amount}")
print(t.substitute(name="Bob", amount=5), t.safe_substitute(name="A"), Template.delimiter, t.template)


class Pct(Template):
    delimiter = "%"
    idpattern = r"[a-z]+_[a-z]+"


print(Pct("%a_b $x %%").substitute(a_b=1), t.get_identifiers(), t.is_valid())


class Sh(Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"<{key}>") if isinstance(key, str) else super().get_value(key, args, kwargs)

    def convert_field(self, value, conversion):
        return value.upper() if conversion == "u" else super().convert_field(value, conversion)

    def format_field(self, value, spec):
        return f"{value:{spec}}" if spec != "q" else f"'{value}'"


print(Sh().format("{0} {name!u} {x:q} {missing}", 1, name="bo", x=3), list(Formatter().parse("a{b:>3}c")))
print(hashlib.sha256(b"a").hexdigest()[:8], hashlib.new("md5", b"x").hexdigest()[:6], hmac.new(b"k", b"m", "sha256").hexdigest()[:6], hmac.compare_digest("a", "a"), hashlib.blake2b(b"a", digest_size=4).hexdigest(), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 10).hex()[:6], "sha1" in hashlib.algorithms_guaranteed)
print(base64.b64encode(b"hi"), base64.urlsafe_b64decode(b"aGk="), base64.b32encode(b"a"), base64.b85encode(b"ab"), binascii.hexlify(b"\x01\xff"), zlib.crc32(b"abc"), zlib.decompress(zlib.compress(b"aaa")), uuid.uuid5(uuid.NAMESPACE_DNS, "x.org"), uuid.UUID(int=5).hex[-1], len(secrets.token_hex(4)), secrets.choice([1]), secrets.randbelow(1))
print(struct.pack(">IhB", 1, -2, 3), struct.unpack("<H", b"\x01\x00"), struct.calcsize("ih"), struct.Struct("!f").pack(1.5), [x for x in struct.iter_unpack("B", b"ab")], (1024).to_bytes(2, "big"), int.from_bytes(b"\x00\x10", "big"))
print("\n".join(difflib.unified_diff("a\nb".split(), "a\nc".split(), lineterm="")), difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), difflib.get_close_matches("appel", ["ape", "apple"]), list(difflib.ndiff(["a"], ["b"])))
print(html.escape("<a&b>"), html.unescape("&lt;"), unicodedata.normalize("NFKD", "é").encode("ascii", "ignore"), unicodedata.name("é"), unicodedata.category("A"), textwrap.dedent("  x\n  y"), textwrap.shorten("hello big world", 10), textwrap.indent("a\nb", "> "), textwrap.fill("a b c d e f", 5), textwrap.wrap("xx yy", 2))
pat = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)", re.I | re.X)
m = pat.search("on 2024-05 and 2023-01")
print(m.groupdict(), m.span("m"), m.expand(r"\g<m>/\g<y>"), pat.sub(lambda k: k["m"], "2024-05"), pat.findall("2024-05 2023-01"), re.split(r"[,;]\s*", "a, b;c"), re.fullmatch(r"\w+", "ab!"), re.escape("a.b"), pat.groups, pat.groupindex, m.re is pat, m.string[:2], m.lastgroup, re.subn("a", "b", "aa"))
print("{:>8.2f}|{:^8}|{:<5}|{:+d}|{:,}|{:#x}|{:08b}|{:e}|{!r:>6}|{:%}".format(3.14159, "mid", "l", 5, 1234567, 255, 5, 12345.6789, "q", 0.25), "%-5s|%05.1f|%x|%%|%(a)s" % {"a": 1} if False else "%-5s|%05.1f|%x|%%" % ("a", 2.5, 255), "{0[a]} {1.real} {2[1]}".format({"a": 1}, 3j, [1, 2]), f"{3.0!r:>5} {'x':*^5} {10:{'>'}{6}} {{}} {m['y']=}")
print(str.maketrans("ab", "xy"), "aabb".translate(str.maketrans("a", "z", "b")), "a,b,,c".split(","), "Title case".swapcase(), "x=1=2".partition("="), "abc".zfill(5), "tEST".capitalize(), "ß".casefold(), "1²".isdigit(), "a\tb".expandtabs(4), string.ascii_letters[:3], string.capwords("a b"), "pre_x".removeprefix("pre_"), "x".center(5, "*"), "%s" % (1,), "abc"[::-1])
