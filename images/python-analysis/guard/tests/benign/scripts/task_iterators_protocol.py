class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return CountdownIterator(self.start)

    def __reversed__(self):
        return iter(range(1, self.start + 1))

    def __contains__(self, x):
        return 1 <= x <= self.start


class CountdownIterator:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1


class Matrix:
    def __init__(self, rows, cols):
        self._data = {(r, c): 0 for r in range(rows) for c in range(cols)}
        self.shape = rows, cols

    def __getitem__(self, key):
        if isinstance(key, tuple):
            return self._data[key]
        return [self._data[key, c] for c in range(self.shape[1])]

    def __setitem__(self, key, value):
        if key not in self._data:
            raise IndexError(f"{key} is out of range")
        self._data[key] = value

    def __delitem__(self, key):
        self._data[key] = None

    def __len__(self):
        return self.shape[0] * self.shape[1]


print(list(Countdown(5)), list(reversed(Countdown(3))), 2 in Countdown(3), sum(Countdown(4)))
it = iter(Countdown(2))
print(next(it), next(it), next(it, "end"))
m = Matrix(2, 3)
m[0, 1] = 7
del m[1, 1]
print(m[0], m[1], len(m))
try:
    m[9, 9] = 1
except IndexError as e:
    print("IndexError:", e)
first, *middle, last = Countdown(6)
print(first, middle, last, max(Countdown(7)), list(zip(Countdown(3), "abc")), dict(enumerate(Countdown(2))))
