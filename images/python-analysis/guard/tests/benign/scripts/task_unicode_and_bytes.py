import unicodedata
import codecs

s = "Crème brûlée – 東京 🎉"
print(len(s), len(s.encode("utf-8")), s.upper(), s.encode("ascii", "ignore"), s.encode("ascii", "xmlcharrefreplace")[:20])
plain = "".join(c for c in unicodedata.normalize("NFD", s) if not unicodedata.combining(c))
print(plain, [unicodedata.name(c, "?") for c in "é東"], unicodedata.category("A"), unicodedata.numeric("½"))
print("é" == "e\u0301", unicodedata.normalize("NFC", "e\u0301") == "é", "ß".upper(), "İ".lower() != "i", "straße".casefold() == "STRASSE".casefold())
print(ord("€"), chr(8364), "\N{GREEK SMALL LETTER ALPHA}", "\u03b2", ascii("naïve"), repr("tab\t"), r"raw\n")
b = bytearray(b"hello")
b[0] = ord("J")
b.extend(b"!!")
print(b, bytes(b).decode(), b.find(b"l"), b"a,b".split(b","), bytes([65, 66]), memoryview(b"abc")[1:].tobytes())
try:
    b"\xff\xfe".decode("utf-8")
except UnicodeDecodeError as e:
    print(e.reason, e.start)
print(b"\xff".decode("latin-1"), b"\xe9t\xe9".decode("cp1252"), codecs.encode("Hello", "rot13"), "\ufeffbom".encode("utf-8-sig")[:3].hex())
with open("latin.txt", "w", encoding="latin-1") as f:
    f.write("größe\n")
print(open("latin.txt", "rb").read(), open("latin.txt", encoding="latin-1").read().strip())
print("x".isalpha(), "٣".isdigit(), "²".isdecimal(), "_a1".isidentifier(), "Title Case".istitle(), " ".isspace(), "abc".center(9, "·"))
