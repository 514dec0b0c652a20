import heapq
from typing import Dict, List, Tuple

Graph = Dict[str, List[Tuple[str, int]]]


def dijkstra(graph: Graph, start: str):
    dist = {node: float("inf") for node in graph}
    prev = {}
    dist[start] = 0
    queue = [(0, start)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(queue, (nd, v))
    return dist, prev


def path_to(prev, node):
    path = [node]
    while node in prev:
        node = prev[node]
        path.append(node)
    return path[::-1]


graph: Graph = {
    "A": [("B", 7), ("C", 9), ("F", 14)],
    "B": [("A", 7), ("C", 10), ("D", 15)],
    "C": [("A", 9), ("B", 10), ("D", 11), ("F", 2)],
    "D": [("B", 15), ("C", 11), ("E", 6)],
    "E": [("D", 6), ("F", 9)],
    "F": [("A", 14), ("C", 2), ("E", 9)],
}
dist, prev = dijkstra(graph, "A")
for node in sorted(graph):
    print(f"A -> {node}: {dist[node]:>2}  via {' > '.join(path_to(prev, node))}")
assert dist["E"] == 20
