def spiral(m):
    m = [list(r) for r in m]
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out


def rotate(m):
    return [list(r) for r in zip(*m[::-1])]


def magic_square(n):
    sq = [[0] * n for _ in range(n)]
    i, j = 0, n // 2
    for k in range(1, n * n + 1):
        sq[i][j] = k
        ni, nj = (i - 1) % n, (j + 1) % n
        if sq[ni][nj]:
            ni, nj = (i + 1) % n, j
        i, j = ni, nj
    return sq


grid = [[r * 4 + c for c in range(4)] for r in range(3)]
print(spiral(grid))
print(rotate(grid))
for row in magic_square(5):
    print(" ".join(f"{v:>3}" for v in row))
print({sum(r) for r in magic_square(5)}, sum(magic_square(5)[i][i] for i in range(5)))
print([row[::-1] for row in grid], list(map(list, zip(*grid)))[0])
diagonals = {}
for r, row in enumerate(grid):
    for c, v in enumerate(row):
        diagonals.setdefault(r + c, []).append(v)
print(list(diagonals.values()))
