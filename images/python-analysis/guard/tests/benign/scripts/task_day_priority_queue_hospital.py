import heapq
import itertools
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass(order=True)
class PrioritizedPatient:
    priority: int
    sequence: int
    name: str = field(compare=False)
    complaint: str = field(compare=False, default="")

    def __str__(self):
        return f"[{self.priority}] {self.name}"


class TriageQueue:
    REMOVED = "<removed>"

    def __init__(self):
        self._heap = []
        self._counter = itertools.count()
        self._index = {}

    def push(self, name, priority, complaint=""):
        if name in self._index:
            self.remove(name)
        entry = PrioritizedPatient(priority, next(self._counter), name, complaint)
        self._index[name] = entry
        heapq.heappush(self._heap, entry)

    def remove(self, name):
        entry = self._index.pop(name)
        entry.name = self.REMOVED

    def pop(self) -> PrioritizedPatient:
        while self._heap:
            entry = heapq.heappop(self._heap)
            if entry.name != self.REMOVED:
                del self._index[entry.name]
                return entry
        raise IndexError("pop from empty triage queue")

    def peek(self) -> Optional[PrioritizedPatient]:
        return min(self._index.values(), default=None)

    def __len__(self):
        return len(self._index)

    def __bool__(self):
        return len(self) > 0

    def __iter__(self):
        return iter(sorted(self._index.values()))


q = TriageQueue()
for name, prio in [("Ada", 3), ("Bo", 1), ("Cy", 2), ("Di", 1), ("Ed", 5)]:
    q.push(name, prio)
q.push("Ed", 1, "chest pain")
q.remove("Cy")
print(len(q), str(q.peek()), [str(p) for p in q])
while q:
    print(q.pop())
try:
    q.pop()
except IndexError as e:
    print("IndexError:", e)
print(heapq.nsmallest(2, [5, 1, 4]), heapq.nlargest(1, [{"a": 1}, {"a": 7}], key=lambda d: d["a"]), list(heapq.merge([1, 4], [2, 3])))
