"""Small katas: run-length, bowling, change, ISBN, Luhn, ROT13, look-and-say."""
from itertools import groupby


def look_and_say(s, times):
    for _ in range(times):
        s = "".join(f"{len(list(g))}{k}" for k, g in groupby(s))
    return s


def luhn(number):
    digits = [int(d) for d in str(number)][::-1]
    return sum(digits[::2] + [sum(divmod(2 * d, 10)) for d in digits[1::2]]) % 10 == 0


def isbn13(text):
    digits = [int(c) for c in text if c.isdigit()]
    return len(digits) == 13 and sum(d * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10 == 0


def bowling(rolls):
    score = i = 0
    for _ in range(10):
        if rolls[i] == 10:
            score += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            score += 10 + rolls[i + 2]
            i += 2
        else:
            score += rolls[i] + rolls[i + 1]
            i += 2
    return score


def change(amount, coins=(200, 100, 50, 20, 10, 5, 2, 1)):
    out = {}
    for c in coins:
        n, amount = divmod(amount, c)
        if n:
            out[c] = n
    return out


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    l = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * l) // 451
    return divmod(h + l - 7 * m + 114, 31)


print(look_and_say("1", 6), luhn(4539578763621486), luhn(1234567812345678))
print(isbn13("978-3-16-148410-0"), bowling([10] * 12), bowling([9, 0] * 10), bowling([5, 5] * 10 + [5]))
print(change(388), [f"{m}/{d + 1}" for m, d in map(easter, (2023, 2024, 2025))])
print("".join(chr((ord(c) - 97 + 13) % 26 + 97) if c.islower() else c for c in "uryyb jbeyq"))
