ROMAN = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(n: int) -> str:
    if not 0 < n < 4000:
        raise ValueError(f"{n} is out of range")
    out = []
    for value, symbol in ROMAN:
        times, n = divmod(n, value)
        out.append(symbol * times)
    return "".join(out)


def from_roman(s: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for a, b in zip(s, s[1:] + " "):
        v = values[a]
        total += -v if b != " " and values[b] > v else v
    return total


def number_to_words(n):
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    tens = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
    if n < 20:
        return ones[n]
    if n < 100:
        return tens[n // 10] + ("-" + ones[n % 10] if n % 10 else "")
    return ones[n // 100] + " hundred" + (" and " + number_to_words(n % 100) if n % 100 else "")


for n in (1, 4, 9, 14, 40, 90, 400, 1987, 2024, 3999):
    print(f"{n:>5} {to_roman(n)}")
print(all(from_roman(to_roman(n)) == n for n in range(1, 4000)))
print(number_to_words(342), "|", number_to_words(90), "|", number_to_words(115))
for bad in (0, 4000):
    try:
        to_roman(bad)
    except ValueError as err:
        print("ValueError:", err)
