"""Solve cryptarithms like SEND+MORE=MONEY variants and a zebra-like puzzle."""
from itertools import permutations, product, combinations
import time


def solve(puzzle: str):
    left, right = puzzle.split("==")
    words = [w.strip() for w in left.split("+")] + [right.strip()]
    letters = sorted(set("".join(words)))
    first = {w[0] for w in words}
    if len(letters) > 10:
        raise ValueError("too many letters")
    weights = {c: 0 for c in letters}
    for sign, word in zip([1] * (len(words) - 1) + [-1], words):
        for power, c in enumerate(reversed(word)):
            weights[c] += sign * 10 ** power
    for digits in permutations(range(10), len(letters)):
        if any(d == 0 and c in first for c, d in zip(letters, digits)):
            continue
        if sum(weights[c] * d for c, d in zip(letters, digits)) == 0:
            return dict(zip(letters, digits))
    return None


begin = time.perf_counter()
for text in ("TO + GO == OUT", "AB + BA == CDC"):
    answer = solve(text)
    print(text, "->", text.translate({ord(c): str(d) for c, d in answer.items()}) if answer else "none")
print(time.perf_counter() - begin < 120)

colors, pets = ("red", "green", "blue"), ("dog", "cat", "owl")
solutions = [
    list(zip(c, p))
    for c, p in product(permutations(colors), permutations(pets))
    if c.index("red") + 1 == p.index("cat") and p.index("owl") != 0 and c[2] != "red" and c.index("blue") > c.index("green")
]
print(len(solutions), solutions[0])
print(sum(1 for trio in combinations(range(1, 20), 3) if trio[0] ** 2 + trio[1] ** 2 == trio[2] ** 2))
print(exec.__name__, eval("2 + 3 * 4"), eval("x + 1", {"x": 41}))
