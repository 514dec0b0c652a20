import hashlib
import string
from itertools import count

ALPHABET = string.digits + string.ascii_letters


def encode(n: int) -> str:
    if n == 0:
        return ALPHABET[0]
    out = []
    while n:
        n, r = divmod(n, len(ALPHABET))
        out.append(ALPHABET[r])
    return "".join(reversed(out))


def decode(s: str) -> int:
    n = 0
    for ch in s:
        n = n * len(ALPHABET) + ALPHABET.index(ch)
    return n


class Shortener:
    def __init__(self):
        self._ids = count(100_000)
        self._by_code, self._by_url = {}, {}

    def shorten(self, url):
        if url not in self._by_url:
            code = encode(next(self._ids))
            self._by_url[url], self._by_code[code] = code, url
        return self._by_url[url]

    def resolve(self, code):
        try:
            return self._by_code[code]
        except KeyError:
            raise LookupError(f"unknown code {code!r}") from None


s = Shortener()
for url in ("https://example.org/a", "https://example.org/b", "https://example.org/a"):
    print(url, "->", s.shorten(url))
print(s.resolve(s.shorten("https://example.org/b")), all(decode(encode(n)) == n for n in range(0, 100_000, 997)))
try:
    s.resolve("???")
except LookupError as e:
    print(type(e).__name__, e)
print(hashlib.md5(b"https://example.org/a", usedforsecurity=False).hexdigest()[:7])
