from collections import defaultdict, deque


class FlowNetwork:
    def __init__(self):
        self.capacity = defaultdict(lambda: defaultdict(int))

    def add(self, u, v, c):
        self.capacity[u][v] += c
        self.capacity[v][u] += 0

    def _augment(self, source, sink):
        parent = {source: None}
        queue = deque([source])
        while queue and sink not in parent:
            u = queue.popleft()
            for v, c in self.capacity[u].items():
                if c > 0 and v not in parent:
                    parent[v] = u
                    queue.append(v)
        if sink not in parent:
            return 0, parent
        path, v = [], sink
        while parent[v] is not None:
            path.append((parent[v], v))
            v = parent[v]
        flow = min(self.capacity[u][v] for u, v in path)
        for u, v in path:
            self.capacity[u][v] -= flow
            self.capacity[v][u] += flow
        return flow, parent

    def max_flow(self, source, sink):
        total = 0
        while True:
            flow, reached = self._augment(source, sink)
            if not flow:
                return total, set(reached)
            total += flow


net = FlowNetwork()
for u, v, c in [("s", "a", 10), ("s", "c", 8), ("a", "b", 5), ("a", "c", 2), ("b", "t", 7), ("c", "d", 10), ("d", "b", 8), ("d", "t", 10)]:
    net.add(u, v, c)
value, side = net.max_flow("s", "t")
print("max flow:", value)
print("source side of the cut:", sorted(side))

jobs = {"ann": ["x", "y"], "bob": ["x"], "cy": ["y", "z"]}
match = {}


def assign(worker, seen):
    for job in jobs[worker]:
        if job not in seen:
            seen.add(job)
            if job not in match or assign(match[job], seen):
                match[job] = worker
                return True
    return False


print(sum(assign(w, set()) for w in jobs), match)
