import bisect
import heapq
from collections import defaultdict, deque
from graphlib import CycleError, TopologicalSorter
from typing import Iterable


class Graph:
    def __init__(self, directed=False):
        self.adj = defaultdict(dict)
        self.directed = directed

    def add(self, a, b, w=1):
        self.adj[a][b] = w
        if not self.directed:
            self.adj[b][a] = w
        else:
            self.adj[b]

    def dijkstra(self, source):
        dist = {source: 0}
        prev = {}
        heap = [(0, source)]
        while heap:
            d, u = heapq.heappop(heap)
            if d > dist.get(u, float("inf")):
                continue
            for v, w in self.adj[u].items():
                if (nd := d + w) < dist.get(v, float("inf")):
                    dist[v], prev[v] = nd, u
                    heapq.heappush(heap, (nd, v))
        return dist, prev

    def bfs(self, start):
        seen, q = {start}, deque([start])
        while q:
            yield (u := q.popleft())
            for v in sorted(self.adj[u]):
                if v not in seen:
                    seen.add(v)
                    q.append(v)

    def dfs(self, u, seen=None):
        seen = set() if seen is None else seen
        seen.add(u)
        yield u
        for v in sorted(self.adj[u]):
            if v not in seen:
                yield from self.dfs(v, seen)

    def components(self):
        seen = set()
        for n in list(self.adj):
            if n not in seen:
                comp = set(self.bfs(n))
                seen |= comp
                yield comp

    def tarjan(self):
        index, low, stack, on, out = {}, {}, [], set(), []

        def visit(v):
            index[v] = low[v] = len(index)
            stack.append(v); on.add(v)
            for w in self.adj[v]:
                if w not in index:
                    visit(w)
                    low[v] = min(low[v], low[w])
                elif w in on:
                    low[v] = min(low[v], index[w])
            if low[v] == index[v]:
                comp = []
                while True:
                    w = stack.pop(); on.discard(w); comp.append(w)
                    if w == v:
                        break
                out.append(sorted(comp))
        for v in list(self.adj):
            if v not in index:
                visit(v)
        return out


g = Graph()
for a, b, w in [("A", "B", 4), ("A", "C", 1), ("C", "B", 2), ("B", "D", 5), ("X", "Y", 1)]:
    g.add(a, b, w)
dist, prev = g.dijkstra("A")
print(dist, prev, list(g.bfs("A")), list(g.dfs("A")), [sorted(c) for c in g.components()])
d = Graph(True)
for a, b in [(1, 2), (2, 3), (3, 1), (3, 4)]:
    d.add(a, b)
print(d.tarjan())
ts = TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}})
print([*ts.static_order()][0])
try:
    list(TopologicalSorter({1: [2], 2: [1]}).static_order())
except CycleError as e:
    print(e.args[0], e.args[1])
nums = [5, 1, 8, 3]
heapq.heapify(nums)
print(heapq.nsmallest(2, nums), heapq.nlargest(2, nums, key=lambda x: -x), heapq.heappushpop(nums, 0), list(heapq.merge([1, 4], [2, 3])), heapq.heapreplace(nums, 9))
xs = [1, 3, 3, 7]
bisect.insort(xs, 4)
print(xs, bisect.bisect_left(xs, 3), bisect.bisect(xs, 3), bisect.bisect_right([("a", 1), ("b", 2)], "a", key=lambda t: t[0]))
