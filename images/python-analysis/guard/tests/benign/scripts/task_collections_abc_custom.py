from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence, Sized
import bisect


class SortedList(Sequence):
    def __init__(self, items=()):
        self._items = sorted(items)

    def add(self, x):
        bisect.insort(self._items, x)

    def __getitem__(self, i):
        return self._items[i]

    def __len__(self):
        return len(self._items)


class TwoWayDict(MutableMapping):
    def __init__(self, **kw):
        self._d = {}
        self.update(kw)

    def __getitem__(self, k):
        return self._d[k]

    def __setitem__(self, k, v):
        if k in self._d:
            del self._d[self._d[k]]
        self._d[k] = v
        self._d[v] = k

    def __delitem__(self, k):
        v = self._d.pop(k)
        self._d.pop(v, None)

    def __iter__(self):
        return iter(self._d)

    def __len__(self):
        return len(self._d) // 2


s = SortedList([3, 1, 2])
s.add(1.5)
print(list(s), 2 in s, s.index(3), s.count(1), list(reversed(s)), isinstance(s, Iterable), isinstance(s, Sized))
t = TwoWayDict(one=1, two=2)
print(t[1], t["two"], len(t), t.pop("one"), sorted(map(str, t)), t.get("x", "-"), "two" in t)
t.setdefault("three", 3)
print(t[3], isinstance(t, Mapping), isinstance(len, Callable), isinstance([], Hashable), issubclass(list, MutableSequence))


def deep_size(obj):
    if isinstance(obj, Mapping):
        return sum(map(deep_size, obj.values()))
    if isinstance(obj, Sequence) and not isinstance(obj, (str, bytes)):
        return sum(map(deep_size, obj))
    return 1


print(deep_size({"a": [1, 2, (3, 4)], "b": {"c": "text"}}))
