from functools import total_ordering

@total_ordering
class Interval:
    __slots__ = ("low", "high")

    def __init__(self, low, high):
        self.low, self.high = sorted((low, high))

    def __eq__(self, other):
        if not isinstance(other, Interval):
            return NotImplemented
        return (self.low, self.high) == (other.low, other.high)

    def __lt__(self, other):
        return self.low < other.low

    def __hash__(self):
        return hash((self.low, self.high))

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, k):
        return Interval(self.low * k, self.high * k)

    __rmul__ = __mul__

    def __contains__(self, x):
        return self.low <= x <= self.high

    def __len__(self):
        return int(self.high - self.low)

    def __iter__(self):
        yield from (self.low, self.high)

    def __getitem__(self, i):
        return (self.low, self.high)[i]

    def __bool__(self):
        return self.low != self.high

    def __format__(self, spec):
        return f"[{self.low:{spec}}, {self.high:{spec}}]"

    def __repr__(self):
        return f"Interval({self.low}, {self.high})"

a, b = Interval(1, 4), Interval(9, 2)
print(a + b, 2 * a, 3 in a, len(b), list(a), a[1], bool(Interval(1, 1)), f"{a:.2f}", a < b, a >= b, {a: 1}[Interval(4, 1)])
low, high = b
print(low, high, sorted([b, a]), max(a, b), a != b)
