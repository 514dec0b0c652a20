from functools import singledispatch, singledispatchmethod, cached_property, partial, reduce, wraps, total_ordering, lru_cache
from datetime import date
from decimal import Decimal, ROUND_HALF_EVEN, getcontext, InvalidOperation
import operator

@singledispatch
def render(x):
    return f"<{type(x).__name__}>"
@render.register
def _(x: int | float):
    return f"{x:,}"
@render.register(list)
@render.register(tuple)
def _(x):
    return "[" + "; ".join(render(i) for i in x) + "]"
@render.register(date)
def _(x):
    return x.strftime("%d/%m/%y")
print(render(1234567), render([1, (2.5, date(2030, 2, 3)), {}]), render.registry.keys() >= {int, list})

class Meter:
    @singledispatchmethod
    def feed(self, v): raise TypeError(f"cannot feed {type(v).__name__}")
    @feed.register
    def _(self, v: str): return v.strip().upper()
    @feed.register
    def _(self, v: bytes): return self.feed(v.decode())
    @cached_property
    def slow(self):
        print("computing")
        return 42
m = Meter()
print(m.feed(" a "), m.feed(b"b"), m.slow + m.slow)
try: m.feed(3)
except TypeError as e: print(e)

def trace(fn=None, *, prefix=">"):
    if fn is None: return partial(trace, prefix=prefix)
    @wraps(fn)
    def inner(*a, **k):
        inner.calls += 1
        print(prefix, fn.__name__, a, k)
        return fn(*a, **k)
    inner.calls = 0
    return inner
@trace(prefix="**")
def area(w, h=2):
    "Area of a field."
    return w * h
print(area(3), area(w=4, h=5), area.calls, area.__doc__, area.__wrapped__(1))

@total_ordering
class Version:
    def __init__(self, s): self.parts = tuple(map(int, s.split(".")))
    def __eq__(self, o): return self.parts == o.parts
    def __lt__(self, o): return self.parts < o.parts
    def __hash__(self): return hash(self.parts)
    def __repr__(self): return f"Version({'.'.join(map(str, self.parts))!r})"
vs = sorted(map(Version, ["1.10", "1.2.1", "1.2"]))
print(vs, vs[0] >= vs[1], max(vs))
getcontext().prec = 12
print(Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_EVEN), Decimal(1) / 7, sum(map(Decimal, ["0.1"] * 3)))
try: Decimal("abc")
except InvalidOperation as e: print(type(e).__name__, e)
print(reduce(operator.mul, range(1, 8)), list(map(operator.itemgetter(1), [(1, "a"), (2, "b")])))
@lru_cache(maxsize=None)
def collatz(n): return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
print(max(range(1, 300), key=collatz), collatz.cache_info())
