import re

text = """Contact: jane.doe@example.com, +49 (0)30 1234-567 or call 555-0199.
Prices: $12.50, €1,299.00 and 3.75 USD. Dates: 2024-02-29, 01/03/2024, 5 March 2024.
Visit https://example.org/path?q=1#top or http://test.co.uk. #python #DataScience @user_1"""

print(re.findall(r"[\w.+-]+@[\w-]+\.[\w.]+", text))
print(re.findall(r"https?://[^\s.]+(?:\.[^\s.]+)+", text))
print(re.findall(r"[$€](\d[\d,]*\.\d{2})", text))
print([m.group() for m in re.finditer(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{2}/\d{2}/\d{4}\b", text)])
print(re.findall(r"(?<=#)\w+", text), re.search(r"@(\w+)\b(?!\.)", text[60:]).start() > 0)
print(re.sub(r"(\d{2})/(\d{2})/(\d{4})", r"\3-\2-\1", "01/03/2024"))
print(re.sub(r"\b(\w)(\w*)\b", lambda m: m[1].upper() + m[2], "hello regex world"))
print(re.split(r"[,;\s]+", "a, b;c   d"), re.split(r"(\d)", "a1b2c"))

verbose = re.compile(r"""
    ^(?P<scheme>https?)://      # protocol
    (?P<host>[^/:]+)            # host
    (?::(?P<port>\d+))?         # port
    (?P<path>/\S*)?$            # path
""", re.VERBOSE | re.IGNORECASE)
for url in ("http://localhost:8080/index", "HTTPS://example.org", "ftp://x"):
    m = verbose.match(url)
    print(m.groupdict() if m else None)
print(re.fullmatch(r"(?:\d{1,3}\.){3}\d{1,3}", "192.168.0.1") is not None, bool(re.match(r"a{2,3}$", "aaaa")))
print(re.escape("1+1=2?"), re.subn("a", "b", "banana"), re.compile("x", re.M).flags & re.M == re.M)
try:
    re.compile("(unclosed")
except re.error as e:
    print("re.error:", e.msg, "at", e.pos)
