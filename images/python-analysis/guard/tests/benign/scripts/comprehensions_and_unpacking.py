matrix = [[i * j for j in range(1, 5)] for i in range(1, 4)]
print([x for row in matrix for x in row if x % 2 == 0], {x % 3 for row in matrix for x in row}, {i: row[-1] for i, row in enumerate(matrix)})
first, *middle, last = range(6)
(a, b), c = (1, 2), 3
a, b = b, a
print(first, middle, last, a, b, c, [*middle, *"xy"], {**dict(k=1)}, list(zip(*matrix))[0])
if (n := len(matrix)) > 2:
    print(f"{n} rows")
while (n := n - 1) > 0:
    if n == 1:
        continue
    print("loop", n)
else:
    print("finished")
for i, (site, part) in enumerate(patients.groupby("site"), start=1):
    if i > 2:
        break
    print(i, site, len(part))
def f(x, /, y, *args, key=None, **rest):
    return x, y, args, key, rest
print(f(1, 2, 3, key="k", z=9), f(*[1, 2], **{"q": 0}))
print(sorted("bca", reverse=True), sorted(["bb", "a"], key=len), any(x > 3 for x in [1, 4]), all([]), min([3, 1], default=0), sum([0.1] * 3), list(reversed([1, 2])), abs(-3), divmod(7, 2), pow(2, 10, 1000), round(2.675, 2))
total = 0
def add(k):
    global total
    total += k
    def inner():
        nonlocal k
        k += 1
        return k
    return inner()
print(add(5), total, (lambda *a: len(a))(1, 2), 5 if total else 6, not total, 3 < total <= 5, [1, 2] + [3], "ab" * 2, 7 // 2, 7 % 3, 2**5, 6 & 3, 6 | 1, 6 ^ 2, ~1, 1 << 3)
x = slice(1, None, 2)
print([0, 1, 2, 3][x], [1, 2, 3][::-1], bytes([65, 66]), bytearray(b"ab")[0], frozenset([1]), complex(1, 2).conjugate(), 0b11, 0o17, 1_000)
assert total == 5, "sum is wrong"
del x
