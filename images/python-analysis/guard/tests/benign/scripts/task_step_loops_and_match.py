for i in range(10):
    if i == 2: continue
    if i == 5: break
else:
    print("never")
n = 0
while n < 3:
    n += 1
else:
    print("done", n)
for (k, v), idx in zip({"a": 1, "b": 2}.items(), range(2)):
    print(k, v, idx)
def describe(x):
    match x:
        case 0: return "zero"
        case int() | float(): return "number"
        case [a, b, *rest]: return f"list {a} {b} {rest}"
        case {"type": "circle", "r": r}: return f"circle {r}"
        case str() as s if s: return f"text {s}"
        case None: return "none"
        case _: return "other"
for x in [0, 3, [1, 2, 3], {"type": "circle", "r": 2}, "hi", "", None]:
    print(describe(x))
print("big" if n > 2 else "small", not n, n and 5, n or 6, 1 < n <= 3, n is not None, [] or "empty")
