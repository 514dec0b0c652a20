from collections import defaultdict, deque
from graphlib import CycleError, TopologicalSorter


def kahn(edges):
    graph, indegree = defaultdict(list), defaultdict(int)
    nodes = set()
    for a, b in edges:
        graph[a].append(b)
        indegree[b] += 1
        nodes |= {a, b}
    queue = deque(sorted(n for n in nodes if indegree[n] == 0))
    order = []
    while queue:
        n = queue.popleft()
        order.append(n)
        for m in sorted(graph[n]):
            indegree[m] -= 1
            if indegree[m] == 0:
                queue.append(m)
    if len(order) != len(nodes):
        raise ValueError("graph has a cycle")
    return order


edges = [("socks", "shoes"), ("underwear", "trousers"), ("trousers", "shoes"), ("trousers", "belt"), ("shirt", "belt"), ("belt", "jacket")]
print(kahn(edges))
try:
    kahn([("a", "b"), ("b", "a")])
except ValueError as e:
    print("error:", e)

ts = TopologicalSorter({"deploy": {"test", "build"}, "test": {"build"}, "build": {"checkout"}})
print(list(ts.static_order()))
try:
    list(TopologicalSorter({1: [2], 2: [1]}).static_order())
except CycleError as e:
    print(type(e).__name__, e.args[0])
