from collections.abc import Sequence, MutableMapping, Iterator, Iterable, Sized, Callable
from bisect import bisect_left, insort
import itertools


class Fib(Sequence):
    """Lazy sequence of Fibonacci numbers."""

    def __init__(self, n):
        self._n = n
        self._memo = [0, 1]

    def __len__(self):
        return self._n

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("Fib index out of range")
        while len(self._memo) <= index:
            self._memo.append(self._memo[-1] + self._memo[-2])
        return self._memo[index]


class CaseInsensitiveDict(MutableMapping):
    def __init__(self, *args, **kwargs):
        self._store = {}
        self.update(*args, **kwargs)

    def __setitem__(self, key, value):
        self._store[key.lower()] = (key, value)

    def __getitem__(self, key):
        return self._store[key.lower()][1]

    def __delitem__(self, key):
        del self._store[key.lower()]

    def __iter__(self):
        return (original for original, _ in self._store.values())

    def __len__(self):
        return len(self._store)

    def __repr__(self):
        return f"{type(self).__name__}({dict(self.items())})"


class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        n = self.start
        while n > 0:
            yield n
            n -= 1

    def __reversed__(self):
        return iter(range(1, self.start + 1))

    def __contains__(self, n):
        return 1 <= n <= self.start


class SortedList:
    def __init__(self, items=(), key=None):
        self._items = []
        for item in items:
            self.add(item)

    def add(self, item):
        insort(self._items, item)

    def __contains__(self, item):
        i = bisect_left(self._items, item)
        return i < len(self._items) and self._items[i] == item

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __getattr__(self, name):
        return getattr(self._items, name)


f = Fib(20)
print(f[10], f[-1], f[2:8], len(f), 13 in f, f.index(21), f.count(1), list(reversed(f))[:3])
try:
    f[99]
except IndexError as e:
    print(e)
d = CaseInsensitiveDict({"Content-Type": "text"}, Accept="*/*")
d["CONTENT-TYPE"] = "json"
print(d, d["accept"], d.get("x", 0), "ACCEPT" in d, d.pop("accept"), list(d.keys()), d.setdefault("n", 1))
print(list(Countdown(4)), list(reversed(Countdown(3))), 3 in Countdown(3), max(Countdown(5)))
s = SortedList([5, 1, 4])
s.add(2)
print(list(s), 4 in s, 9 in s, s.index(4), isinstance(s, Sized), isinstance(s, Iterable), isinstance(f, Sequence), issubclass(CaseInsensitiveDict, MutableMapping))
it = iter([1, 2, 3])
print(next(it), next(it), next(it), next(it, "done"), isinstance(it, Iterator), isinstance(len, Callable))
gen = (x * x for x in itertools.count(1))
print(list(itertools.islice(gen, 5)), [list(g) for _, g in itertools.groupby("aabbb")], list(itertools.batched("abcde", 2)))


def averager():
    total = count = 0
    average = None
    while True:
        try:
            value = yield average
        except ValueError:
            total = count = 0
            continue
        if value is None:
            return average
        total += value
        count += 1
        average = total / count


a = averager()
next(a)
print(a.send(10), a.send(20), a.throw(ValueError), a.send(5))
try:
    a.send(None)
except StopIteration as stop:
    print("returned", stop.value)
a.close()
