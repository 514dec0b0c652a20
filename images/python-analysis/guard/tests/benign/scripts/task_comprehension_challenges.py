nested = [[1, 2, 3], [4, 5], [6]]
flat = [x for row in nested for x in row]
print(flat, [x**2 if x % 2 else -x for x in flat], {x: x**2 for x in flat if x > 3}, {len(r) for r in nested})
print([[row[i] for row in [[1, 2], [3, 4], [5, 6]]] for i in range(2)])
print([(a, b) for a in "ab" for b in range(2) if (a, b) != ("a", 0)])
pythagorean = [(a, b, c) for c in range(1, 30) for b in range(1, c) for a in range(1, b) if a * a + b * b == c * c]
print(pythagorean)
text = "the quick brown fox jumps over the lazy dog"
print({w: len(w) for w in text.split()}, sorted({c for c in text if c.isalpha()}) == list("abcdefghijklmnopqrstuvwxyz"))
inverted = {}
for k, v in {"a": 1, "b": 2, "c": 1}.items():
    inverted.setdefault(v, []).append(k)
print(inverted, {v: k for k, v in {"x": 1, "y": 2}.items()})
print(any(x > 5 for x in flat), all(isinstance(x, int) for x in flat), sum(1 for x in flat if x % 2 == 0))
values = [y for x in range(5) if (y := x * x) > 3]
print(values, [*range(3), *"ab"], {**{"a": 1}, "b": 2}, [i for i, x in enumerate("abca") if x == "a"])
print(list(zip(*[[1, 2, 3], [4, 5, 6]])), dict(zip("abc", range(3))), [list(t) for t in zip("ab", "cd")])
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d, [0] * 3 + [1], (1,) * 2, 1 < 2 < 3, "yes" if flat else "no", not [] and [] or "default")
