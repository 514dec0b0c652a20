import heapq
from collections import defaultdict, deque
from math import inf


class Graph:
    def __init__(self, directed=False):
        self.adj = defaultdict(dict)
        self.directed = directed

    def add_edge(self, u, v, w=1):
        self.adj[u][v] = w
        if not self.directed:
            self.adj[v][u] = w
        else:
            self.adj[v]

    def __len__(self):
        return len(self.adj)

    def __contains__(self, node):
        return node in self.adj

    def dijkstra(self, source):
        dist, prev = {n: inf for n in self.adj}, {}
        dist[source] = 0
        heap = [(0, source)]
        while heap:
            d, u = heapq.heappop(heap)
            if d > dist[u]:
                continue
            for v, w in self.adj[u].items():
                if (nd := d + w) < dist[v]:
                    dist[v], prev[v] = nd, u
                    heapq.heappush(heap, (nd, v))
        return dist, prev

    def path(self, source, target):
        dist, prev = self.dijkstra(source)
        if dist[target] == inf:
            raise LookupError(f"no path from {source} to {target}")
        route = deque([target])
        while route[0] != source:
            route.appendleft(prev[route[0]])
        return list(route), dist[target]

    def bfs(self, start):
        seen, queue = {start}, deque([start])
        while queue:
            node = queue.popleft()
            yield node
            for nxt in sorted(self.adj[node]):
                if nxt not in seen:
                    seen.add(nxt)
                    queue.append(nxt)

    def components(self):
        left = set(self.adj)
        while left:
            part = set(self.bfs(min(left)))
            yield part
            left -= part


def main():
    g = Graph()
    for u, v, w in [("lab", "ward", 4), ("lab", "store", 2), ("store", "ward", 1), ("ward", "pharmacy", 5), ("store", "pharmacy", 8), ("roof", "mast", 1)]:
        g.add_edge(u, v, w)
    print(g.path("lab", "pharmacy"))
    print(list(g.bfs("lab")), len(g), "roof" in g)
    print([sorted(c) for c in g.components()])
    try:
        g.path("lab", "roof")
    except LookupError as e:
        print("error:", e.args[0])


main()
