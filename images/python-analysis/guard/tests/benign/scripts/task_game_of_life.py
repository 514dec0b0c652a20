import numpy as np


def step(grid):
    neighbours = sum(
        np.roll(np.roll(grid, i, 0), j, 1)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if (i, j) != (0, 0)
    )
    return ((neighbours == 3) | ((grid == 1) & (neighbours == 2))).astype(int)


def show(grid):
    return "\n".join("".join(".#"[c] for c in row) for row in grid)


glider = np.zeros((8, 8), dtype=int)
for r, c in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
    glider[r, c] = 1

g = glider
for generation in range(5):
    print(f"Generation {generation}: {g.sum()} alive")
    print(show(g))
    g = step(g)

for _ in range(27):
    g = step(g)
print("after 32 steps the glider is back:", bool((g == glider).all()))

rng = np.random.default_rng(0)
soup = rng.integers(0, 2, (32, 32))
history = []
for _ in range(50):
    history.append(int(soup.sum()))
    soup = step(soup)
print(history[::10])
