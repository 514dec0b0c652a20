import numpy as np
import matplotlib.pyplot as plt
from collections import deque
import random


def generate(rows, cols, seed=0):
    rng = random.Random(seed)
    grid = np.ones((2 * rows + 1, 2 * cols + 1), dtype=int)
    stack = [(0, 0)]
    grid[1, 1] = 0
    visited = {(0, 0)}
    while stack:
        r, c = stack[-1]
        options = [(r + dr, c + dc, dr, dc) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= r + dr < rows and 0 <= c + dc < cols and (r + dr, c + dc) not in visited]
        if not options:
            stack.pop()
            continue
        nr, nc, dr, dc = rng.choice(options)
        grid[2 * r + 1 + dr, 2 * c + 1 + dc] = 0
        grid[2 * nr + 1, 2 * nc + 1] = 0
        visited.add((nr, nc))
        stack.append((nr, nc))
    return grid


def solve(grid, start, goal):
    previous = {start: None}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == goal:
            break
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nxt = cell[0] + dr, cell[1] + dc
            if grid[nxt] == 0 and nxt not in previous:
                previous[nxt] = cell
                queue.append(nxt)
    path = []
    while goal is not None:
        path.append(goal)
        goal = previous[goal]
    return path[::-1]


grid = generate(6, 10, seed=5)
path = solve(grid, (1, 1), (11, 19))
for r, row in enumerate(grid):
    print("".join("█" if v else ("·" if (r, c) in set(path) else " ") for c, v in enumerate(row)))
print(len(path), path[0], path[-1])
fig, ax = plt.subplots()
ax.imshow(grid, cmap="binary", interpolation="nearest")
ys, xs = zip(*path)
ax.plot(xs, ys, "r-", linewidth=2)
ax.set_axis_off()
fig.savefig("maze.png", bbox_inches="tight")
