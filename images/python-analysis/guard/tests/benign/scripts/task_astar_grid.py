import heapq
import random


def astar(grid, start, goal):
    def h(p):
        return abs(p[0] - goal[0]) + abs(p[1] - goal[1])

    frontier = [(h(start), 0, start)]
    cost, parent = {start: 0}, {}
    expanded = 0
    while frontier:
        _, g, node = heapq.heappop(frontier)
        if node == goal:
            path = [node]
            while node in parent:
                node = parent[node]
                path.append(node)
            return path[::-1], expanded
        if g > cost[node]:
            continue
        expanded += 1
        r, c = node
        for nxt in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= nxt[0] < len(grid) and 0 <= nxt[1] < len(grid[0]) and not grid[nxt[0]][nxt[1]]:
                new = g + 1
                if new < cost.get(nxt, 10**9):
                    cost[nxt], parent[nxt] = new, node
                    heapq.heappush(frontier, (new + h(nxt), new, nxt))
    return None, expanded


rng = random.Random(12)
grid = [[int(rng.random() < 0.25) for _ in range(20)] for _ in range(12)]
grid[0][0] = grid[11][19] = 0
path, expanded = astar(grid, (0, 0), (11, 19))
print("length", len(path) - 1 if path else None, "expanded", expanded)
on_path = set(path or [])
for r, row in enumerate(grid):
    print("".join("#" if v else ("o" if (r, c) in on_path else ".") for c, v in enumerate(row)))
