import numpy as np


def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (x != y))
    return d


def script(a, b):
    d = edit_distance(a, b)
    i, j, ops = len(a), len(b), []
    while i or j:
        if i and j and d[i, j] == d[i - 1, j - 1] + (a[i - 1] != b[j - 1]):
            ops.append(f"{'keep' if a[i - 1] == b[j - 1] else 'replace'} {a[i - 1]}>{b[j - 1]}")
            i, j = i - 1, j - 1
        elif i and d[i, j] == d[i - 1, j] + 1:
            ops.append(f"delete {a[i - 1]}")
            i -= 1
        else:
            ops.append(f"insert {b[j - 1]}")
            j -= 1
    return ops[::-1]


print(edit_distance("kitten", "sitting"))
print(edit_distance("kitten", "sitting")[-1, -1], script("kitten", "sitting"))
words = ["python", "pithon", "jython", "typhoon"]
print(sorted(words, key=lambda w: edit_distance("python", w)[-1, -1]))
