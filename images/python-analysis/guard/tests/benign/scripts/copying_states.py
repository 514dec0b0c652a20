"""Classes that say what of them is copied, and generic classes that tell their parameters."""
import copy
from typing import Generic, TypeVar


class Job:
    def __init__(self, number):
        self.number = number
        self._cache = {"a": number}
        self.lock = object()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = None


near, deep = copy.copy(Job(3)), copy.deepcopy(Job(4))
print(near.number, near.lock, near._cache, deep.number, deep._cache, deep.lock)


class Reading:
    def __init__(self):
        self.value = 1
        self.noise = 2

    def __getstate__(self):
        return {"value": self.value * 10}


print(vars(copy.copy(Reading())))


class Slot:
    __slots__ = ("start", "end")

    def __init__(self):
        self.start, self.end = 1, 2

    def __setstate__(self, state):
        self.start, self.end = 0, state[1]["end"]


slot = copy.copy(Slot())
print(slot.start, slot.end, Job(2).__getstate__())
again = Job(1)
again.__setstate__({"number": 99})
print(again.number)

T = TypeVar("T")
U = TypeVar("U")


class Pair(Generic[T, U]):
    pass


class Named(Pair[str, U]):
    pass


print(Pair.__parameters__, Named.__parameters__, Named.__orig_bases__, Pair[int, T].__parameters__)
