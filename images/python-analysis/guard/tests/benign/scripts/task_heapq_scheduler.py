import heapq
import itertools
from dataclasses import dataclass, field


@dataclass(order=True)
class Task:
    priority: int
    sequence: int
    name: str = field(compare=False)
    duration: int = field(compare=False, default=1)


class Scheduler:
    def __init__(self):
        self._heap = []
        self._counter = itertools.count()

    def add(self, name, priority=5, duration=1):
        heapq.heappush(self._heap, Task(priority, next(self._counter), name, duration))

    def run(self):
        clock = 0
        while self._heap:
            task = heapq.heappop(self._heap)
            clock += task.duration
            yield clock, task.name


s = Scheduler()
s.add("write report", 3, 4)
s.add("fix outage", 1, 2)
s.add("coffee", 5)
s.add("review", 3)
for t, name in s.run():
    print(f"t={t:>2} finished {name}")
print(heapq.nlargest(3, [5, 1, 9, 3, 7]), heapq.nsmallest(2, ["pear", "fig", "apple"], key=len))
print(list(heapq.merge([1, 4, 7], [2, 5], [3])))


def running_median(stream):
    low, high = [], []
    for x in stream:
        heapq.heappush(low, -heapq.heappushpop(high, x))
        if len(low) > len(high):
            heapq.heappush(high, -heapq.heappop(low))
        yield high[0] if len(high) > len(low) else (high[0] - low[0]) / 2


print(list(running_median([5, 15, 1, 3, 8])))
h = [9, 4, 6]
heapq.heapify(h)
print(heapq.heapreplace(h, 5), sorted(h), h[0])
