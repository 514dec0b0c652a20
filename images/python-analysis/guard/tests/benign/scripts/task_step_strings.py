text = "Hello, World"
print(text[::-1], text.lower().replace("l", "L"), text.split(", "), "-".join("abc"), text.find("World"), text.count("l"))
print(f"{text!r:>20}|{3.14159:.2f}|{1000000:,}|{255:#x}|{0.5:.0%}|{'x':^5}|{text[:5]=}")
print("%s is %d years and %.1f" % ("Ann", 30, 1.5), "{} {name}".format(1, name="z"), "{0:>{w}}".format("a", w=4))
print(text.startswith("He"), text.title(), text.center(20, "*"), " a b ".strip(), text.encode().hex()[:8], "a,b;c".translate(str.maketrans(",;", "  ")))
print(chr(97), ord("a"), "abc".isalpha(), "12".zfill(5), "a\nb".splitlines(), ascii("é"), repr("x"), "ß".casefold())
multi = """line 1
line 2"""
print(multi, r"raw\n", b"bytes"[0], "con" "cat", 'it\'s')
