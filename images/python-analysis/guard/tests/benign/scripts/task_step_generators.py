def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
import itertools
print(list(itertools.islice(fib(), 10)), next(fib()))
def flatten(items):
    for x in items:
        if isinstance(x, (list, tuple)):
            yield from flatten(x)
        else:
            yield x
print(list(flatten([1, [2, (3, [4])]])))
def averager():
    total = n = 0
    avg = None
    while True:
        value = yield avg
        total += value; n += 1
        avg = total / n
av = averager(); next(av); print(av.send(10), av.send(20)); av.close()
g = (i * i for i in range(3)); print(next(g), list(g), next(g, "end"))
