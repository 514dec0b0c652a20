import string
from collections import Counter
from itertools import cycle


class Cipher:
    alphabet = string.ascii_uppercase

    def encrypt(self, text: str) -> str:
        return self._transform(text, 1)

    def decrypt(self, text: str) -> str:
        return self._transform(text, -1)

    def _transform(self, text, direction):
        raise NotImplementedError

    def __call__(self, text):
        return self.encrypt(text)


class Caesar(Cipher):
    def __init__(self, shift):
        self.shift = shift

    def _transform(self, text, direction):
        k = self.shift * direction % 26
        table = str.maketrans(self.alphabet, self.alphabet[k:] + self.alphabet[:k])
        return text.upper().translate(table)


class Vigenere(Cipher):
    def __init__(self, key):
        self.key = [self.alphabet.index(c) for c in key.upper()]

    def _transform(self, text, direction):
        shifts = cycle(self.key)
        return "".join(self.alphabet[(self.alphabet.index(c) + direction * next(shifts)) % 26] if c in self.alphabet else c for c in text.upper())


class RailFence(Cipher):
    def __init__(self, rails):
        self.rails = rails

    def _order(self, n):
        pattern = cycle([*range(self.rails), *range(self.rails - 2, 0, -1)])
        return sorted(range(n), key=lambda i, p=[next(pattern) for _ in range(n)]: (p[i], i))

    def _transform(self, text, direction):
        order = self._order(len(text))
        if direction == 1:
            return "".join(text[i] for i in order)
        out = [""] * len(text)
        for c, i in zip(text, order):
            out[i] = c
        return "".join(out)


def crack(text):
    best = min(range(26), key=lambda k: sum(abs(Counter(Caesar(k).decrypt(text))[c] / len(text) - f) for c, f in zip("ETAOIN", (.127, .091, .082, .075, .07, .067))))
    return best, Caesar(best).decrypt(text)


message = "THE MEETING TAKES PLACE AT THE OLD STATION TONIGHT"
for cipher in (Caesar(11), Vigenere("LEMON"), RailFence(3)):
    secret = cipher(message)
    assert cipher.decrypt(secret) == message
    print(f"{type(cipher).__name__:<10}{secret}")
print(crack(Caesar(7)(message)))
print(bytes(a ^ b for a, b in zip(b"hello", cycle(b"key"))).hex(), ord("A"), chr(66), "ß".upper(), "abc".encode("utf-16-le"))
try:
    Cipher()("x")
except NotImplementedError as e:
    print(repr(e))
