from itertools import cycle
import string
from collections import Counter

ALPHABET = string.ascii_uppercase


def caesar(text, shift):
    table = str.maketrans(
        ALPHABET + ALPHABET.lower(),
        ALPHABET[shift % 26:] + ALPHABET[:shift % 26] + ALPHABET[shift % 26:].lower() + ALPHABET[:shift % 26].lower(),
    )
    return text.translate(table)


def vigenere(text, key, decrypt=False):
    out = []
    keys = cycle(ord(k) - 65 for k in key.upper())
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            k = next(keys)
            out.append(chr((ord(ch) - base + (-k if decrypt else k)) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)


def crack(ciphertext):
    english = "ETAOINSHRDLU"
    best = max(range(26), key=lambda s: sum(caesar(ciphertext, -s).upper().count(c) * (12 - i) for i, c in enumerate(english)))
    return best, caesar(ciphertext, -best)


message = "Meet me at the station at noon, and bring the documents!"
secret = caesar(message, 7)
print(secret)
print(crack(secret))
v = vigenere(message, "Lemon")
print(v, vigenere(v, "Lemon", decrypt=True) == message)
freq = Counter(c for c in message.lower() if c.isalpha())
print(", ".join(f"{c}:{n}" for c, n in freq.most_common(5)))
print("".join(chr(ord(a) ^ ord(b)) for a, b in zip("HELLO", "KEYKE")).encode())
print(" ".join(f"{ord(c):08b}" for c in "Hi"), bin(10), int("0b1010", 2), hex(255))
