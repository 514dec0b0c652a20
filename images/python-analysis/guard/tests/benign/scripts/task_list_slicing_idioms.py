xs = list(range(10))
print(xs[2:5], xs[::-1], xs[::3], xs[-3:], xs[:-2], xs[8:2:-2], xs[slice(1, 4)])
xs[2:4] = ["a", "b", "c"]
print(xs, len(xs))
del xs[::2]
print(xs)
xs.insert(1, "new"); xs.extend([1, 2]); xs.append([3])
print(xs, xs.index("new"), xs.count(1), xs.pop(), xs.pop(0))
xs.remove("new"); xs.reverse()
print(xs)
ys = [3, 1, 2]
print(sorted(ys), ys, sorted(ys, reverse=True), ys.sort(), ys, ys.copy() == ys, ys is ys.copy())
print([1, 2] + [3], [1, 2] * 2, [1, 2] < [1, 3], min("hello"), max([1, 5], [2]), sum([[1], [2]], []))
n = 3
chunks = [list(range(10))[i:i + n] for i in range(0, 10, n)]
print(chunks, [sum(c) for c in chunks], list(map(max, chunks)))
print(all([]), any([]), list(filter(None, [0, 1, "", "a", None])), list(range(10, 0, -3)), "abc"[::-1], (1, 2, 3)[1:])
while xs:
    item = xs.pop()
    if item == 2:
        continue
    print(item, end=" ")
else:
    print("empty")
for i in range(5):
    if i == 7:
        break
else:
    print("no break", i)
print([i for i, (p, q) in enumerate(zip("abcd", "abxd")) if p != q], sorted("bca"), list("abc"), "".join(reversed("abc")))
