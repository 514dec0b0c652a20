import itertools as it
from functools import lru_cache, partial, reduce

def windows(items, size):
    """Sliding windows."""
    items = iter(items)
    window = tuple(it.islice(items, size))
    while len(window) == size:
        yield window
        window = window[1:] + tuple(it.islice(items, 1))

def running_mean():
    total = count = 0
    value = None
    while True:
        value = yield (total / count if count else None)
        if value is None:
            return total
        total += value
        count += 1

print(list(windows(range(6), 3)))
means = running_mean()
next(means)
print([means.send(v) for v in (2, 4, 9)])
try:
    means.send(None)
except StopIteration as end:
    print("total", end.value)

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(80), fib.cache_info().hits)
print(reduce(lambda a, b: a * b, range(1, 8)), partial(round, ndigits=2)(3.14159))
print(list(it.accumulate([3, 1, 4], max)), list(it.chain.from_iterable([[1], [2, 3]])), list(it.combinations("abc", 2)))
print({k: len(list(g)) for k, g in it.groupby(sorted(patients["site"]))})
print(list(it.zip_longest([1, 2], "a", fillvalue="-")), list(it.product([0, 1], repeat=2)), list(it.pairwise([1, 4, 9])))
print(list(it.takewhile(lambda v: v < 5, it.count(1, 2))), list(it.batched(range(5), 2)), sum(1 for _ in it.permutations(range(4))))
gen = (x * x for x in range(10) if x % 3)
print(next(gen), *gen, sep=",")
def countdown(n):
    while n:
        yield n
        n -= 1
    return "done"
def outer():
    got = yield from countdown(2)
    yield got
print(list(outer()))
