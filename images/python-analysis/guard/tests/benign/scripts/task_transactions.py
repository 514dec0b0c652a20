"""Context managers, caches and functools helpers."""
import contextlib
import functools
import io
import itertools
import operator
import os
import sys


@contextlib.contextmanager
def indented(level):
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        yield buffer
    for line in buffer.getvalue().splitlines():
        print(" " * level + line)


class Transaction(contextlib.AbstractContextManager):
    def __init__(self, target):
        self.target = target

    def __enter__(self):
        self._copy = dict(self.target)
        return self.target

    def __exit__(self, kind, value, tb):
        if kind is not None:
            self.target.clear()
            self.target.update(self._copy)
            print("rolled back:", kind.__name__, value)
            return issubclass(kind, KeyError)
        return False


@functools.lru_cache(maxsize=None)
def collatz(n):
    return 1 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


class Polygon:
    def __init__(self, *points):
        self.points = points

    @functools.cached_property
    def area(self):
        print("computing")
        pairs = zip(self.points, self.points[1:] + self.points[:1])
        return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __repr__(self):
        return ".".join(map(str, self.parts))


with indented(4):
    print("inside")
    print("still inside")
account = {"balance": 10}
with Transaction(account) as a:
    a["balance"] -= 50
    a["missing"] += 1
print(account, max(range(1, 2000), key=collatz), collatz.cache_info().hits > 0)
p = Polygon((0, 0), (4, 0), (4, 3))
print(p.area, p.area, sorted(map(Version, ["1.10", "1.2", "0.9.1"])), Version("2.0") >= Version("1.9"))
print(functools.reduce(operator.mul, range(1, 11)), list(itertools.accumulate([3, 1, 4], max)))
with contextlib.ExitStack() as stack:
    files = [stack.enter_context(open(f"part{i}.txt", "w")) for i in range(3)]
    stack.callback(print, "all closed")
    for i, f in enumerate(files):
        print(i, file=f)
print([f.closed for f in files], sum(os.path.getsize(f.name) for f in files))
with contextlib.suppress(FileNotFoundError):
    os.remove("nowhere.txt")
print(list(map(operator.attrgetter("parts"), [Version("3.1")])), file=sys.stdout)
