matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)])
print({k: v for k, v in zip("abc", range(3)) if v}, {x % 3 for x in range(10)}, sum(x for x in range(5)))
print([y for x in matrix for y in x if y % 2 == 0], [(i, j) for i in range(2) for j in range(2) if i != j])
words = "the quick brown fox jumps over the lazy dog".split()
counts = {}
for w in words:
    counts[w] = counts.get(w, 0) + 1
print(max(counts, key=counts.get), [n := 10, n ** 2][-1])
print([line.strip().upper() for line in " a \n b ".splitlines()])
print(any(len(w) > 4 for w in words), all(w.isalpha() for w in words))
