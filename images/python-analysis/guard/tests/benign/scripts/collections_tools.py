from bisect import bisect_left, insort
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
import heapq
from operator import attrgetter, itemgetter, methodcaller
from typing import NamedTuple

counts = Counter(patients["site"])
print(counts.most_common(2), counts["missing"], sum(counts.values()) == len(patients), Counter("aab") - Counter("ab"))
by_site = defaultdict(lambda: {"n": 0, "ages": []})
for row in patients.itertuples(index=False):
    by_site[row.site]["n"] += 1
    by_site[row.site]["ages"].append(row.age)
print({k: v["n"] for k, v in sorted(by_site.items())})
queue = deque([1, 2, 3], maxlen=3)
queue.append(4)
queue.rotate(1)
print(queue, queue.popleft(), OrderedDict(b=1, a=2).popitem(last=False), dict(ChainMap({"a": 1}, {"a": 2, "b": 3})))
class Point(NamedTuple):
    x: float
    y: float = 0.0
    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5
points = [Point(3, 4), Point(1), Point(2, 1)]
print(sorted(points, key=attrgetter("y")), max(points, key=itemgetter(0)), [round(p.norm(), 2) for p in points], list(map(methodcaller("norm"), points))[0])
heap = [5, 1, 8]
heapq.heapify(heap)
heapq.heappush(heap, 0)
print(heapq.heappop(heap), heapq.nsmallest(2, heap), list(heapq.merge([1, 4], [2, 3])))
numbers = [1, 3, 5]
insort(numbers, 4)
print(numbers, bisect_left(numbers, 3))
Row = namedtuple("Row", ["id", "value"], defaults=[None])
print(Row(1), Row(1, 2)._replace(value=3), dict(zip("ab", [1, 2])), dict.fromkeys("xy", 0), {**{"a": 1}, "b": 2}, {"a": 1} | {"a": 9})
