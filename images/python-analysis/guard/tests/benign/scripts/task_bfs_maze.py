from collections import deque

MAZE = """
##########
#S..#....#
#.#.#.##.#
#.#...#..#
#.#####.##
#......#E#
#.####...#
##########
""".strip().splitlines()


def find(ch):
    for r, row in enumerate(MAZE):
        if ch in row:
            return r, row.index(ch)
    raise ValueError(f"{ch!r} not found")


def solve(start, goal):
    queue = deque([start])
    came_from = {start: None}
    while queue:
        r, c = current = queue.popleft()
        if current == goal:
            path = []
            while current is not None:
                path.append(current)
                current = came_from[current]
            return path[::-1]
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nxt = r + dr, c + dc
            if MAZE[nxt[0]][nxt[1]] != "#" and nxt not in came_from:
                came_from[nxt] = (r, c)
                queue.append(nxt)
    return None


path = solve(find("S"), find("E"))
print("length:", len(path) - 1)
grid = [list(row) for row in MAZE]
for r, c in path[1:-1]:
    grid[r][c] = "*"
print("\n".join("".join(row) for row in grid))
