import random


class DisjointSet:
    def __init__(self, items):
        self.parent = {x: x for x in items}
        self.rank = dict.fromkeys(self.parent, 0)

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.parent[b] = a
        self.rank[a] += self.rank[a] == self.rank[b]
        return True


def kruskal(nodes, edges):
    ds = DisjointSet(nodes)
    return [e for e in sorted(edges) if ds.union(e[1], e[2])]


random.seed(3)
nodes = list("ABCDEFGH")
edges = [(random.randint(1, 20), a, b) for i, a in enumerate(nodes) for b in nodes[i + 1:] if random.random() < 0.6]
mst = kruskal(nodes, edges)
for w, a, b in mst:
    print(f"{a} -- {b}  {w}")
print("total weight:", sum(w for w, *_ in mst), "edges:", len(mst))
ds = DisjointSet(range(6))
ds.union(0, 1); ds.union(2, 3); ds.union(1, 3)
print(len({ds.find(x) for x in range(6)}), "components")
