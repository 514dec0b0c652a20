import functools
import operator
from functools import cache, cached_property, partial, reduce, singledispatch, total_ordering, wraps


@singledispatch
def describe(x):
    return f"something: {x!r}"


@describe.register
def _(x: int):
    return f"int {x:+d}"


@describe.register(list)
def _(x):
    return f"list of {len(x)}"


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    @cached_property
    def text(self):
        print("computing")
        return ".".join(map(str, self.parts))


def logged(func=None, *, prefix="call"):
    if func is None:
        return partial(logged, prefix=prefix)

    @wraps(func)
    def inner(*args, **kwargs):
        print(f"{prefix} {func.__name__}{args}")
        return func(*args, **kwargs)
    return inner


@logged(prefix=">>")
def add(a, b):
    """Add."""
    return a + b


@cache
def stairs(n):
    return 1 if n < 2 else stairs(n - 1) + stairs(n - 2)


print(describe(3), describe([1, 2]), describe(2.5))
print(Version("1.10") > Version("1.9"), max(Version("2.0"), Version("1.9")).text, sorted([Version("1.2"), Version("1.1")])[0].parts)
v = Version("3.1"); v.text; print(v.text)
print(add(1, 2), add.__name__, add.__doc__, reduce(operator.or_, [{1}, {2}, {3}]), reduce(lambda a, b: a * 10 + b, [1, 2, 3], 0))
print(stairs(50), stairs.cache_info().misses, partial(int, base=2)("1011"))
print(sorted("banana", key=functools.cmp_to_key(lambda a, b: (a < b) - (a > b))))
