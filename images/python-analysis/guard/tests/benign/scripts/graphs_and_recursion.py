from collections import defaultdict, deque
from functools import cache
import heapq

edges = [("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5), ("c", "d", 8), ("d", "e", 3)]
graph = defaultdict(dict)
for u, v, w in edges:
    graph[u][v] = graph[v][u] = w

def dijkstra(source):
    distance, queue = {source: 0}, [(0, source)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > distance[u]:
            continue
        for v, w in graph[u].items():
            if d + w < distance.get(v, float("inf")):
                distance[v] = d + w
                heapq.heappush(queue, (d + w, v))
    return distance

def bfs(start):
    seen, queue = {start}, deque([start])
    while queue:
        node = queue.popleft()
        yield node
        for other in sorted(graph[node]):
            if other not in seen:
                seen.add(other)
                queue.append(other)

@cache
def levenshtein(a, b):
    if not a or not b:
        return len(a) or len(b)
    return min(levenshtein(a[1:], b) + 1, levenshtein(a, b[1:]) + 1, levenshtein(a[1:], b[1:]) + (a[0] != b[0]))

def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)

def flatten(tree):
    for item in tree:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item

print(dijkstra("a"), list(bfs("a")), levenshtein("aspirin", "asprin"), hanoi(8), list(flatten([1, [2, (3, [4])]])))
