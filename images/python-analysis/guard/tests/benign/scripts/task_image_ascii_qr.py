import numpy as np


def bresenham(x0, y0, x1, y1):
    dx, dy = abs(x1 - x0), -abs(y1 - y0)
    sx, sy = (1 if x0 < x1 else -1), (1 if y0 < y1 else -1)
    err = dx + dy
    while True:
        yield x0, y0
        if (x0, y0) == (x1, y1):
            return
        e2 = 2 * err
        if e2 >= dy:
            err += dy
            x0 += sx
        if e2 <= dx:
            err += dx
            y0 += sy


def flood_fill(grid, r, c, value):
    target = grid[r, c]
    stack = [(r, c)]
    while stack:
        r, c = stack.pop()
        if 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1] and grid[r, c] == target:
            grid[r, c] = value
            stack += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return grid


canvas = np.full((11, 24), ".", dtype="<U1")
for a, b in [((2, 1), (20, 1)), ((20, 1), (11, 9)), ((11, 9), (2, 1))]:
    for x, y in bresenham(*a, *b):
        canvas[y, x] = "#"
flood_fill(canvas, 3, 11, "o")
print("\n".join("".join(row) for row in canvas))
kernel = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]])
img = (canvas != ".").astype(int)
windows = np.lib.stride_tricks.sliding_window_view(img, (3, 3))
lap = (windows * kernel).sum(axis=(2, 3))
print("edge pixels:", int((lap != 0).sum()), "filled:", int(img.sum()), windows.shape)
rle = [(int(v), int(n)) for v, n in zip(img[1], np.diff(np.flatnonzero(np.r_[True, np.diff(img[1]) != 0, True])))]
print(rle[:3])
