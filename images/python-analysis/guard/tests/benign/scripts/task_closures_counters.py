def make_counter(start=0, step=1):
    count = start

    def increment(by=None):
        nonlocal count
        count += step if by is None else by
        return count

    def reset():
        nonlocal count
        count = start
    increment.reset = reset
    return increment


def memoize(f):
    cache = {}

    def inner(*args):
        if args not in cache:
            cache[args] = f(*args)
        return cache[args]
    inner.cache = cache
    return inner


def compose(*functions):
    def composed(x):
        for f in reversed(functions):
            x = f(x)
        return x
    return composed


def curry(f, n):
    def inner(*args):
        return f(*args) if len(args) >= n else lambda *more: inner(*args, *more)
    return inner


c = make_counter(10, 5)
print(c(), c(), c(1))
c.reset()
print(c())
fib = memoize(lambda n: n if n < 2 else fib(n - 1) + fib(n - 2))
print(fib(40), len(fib.cache))
print(compose(str, lambda x: x + 1, abs)(-5), curry(lambda a, b, c: a * b + c, 3)(2)(3)(4))
adders = [lambda x, n=n: x + n for n in range(3)]
late = [lambda x: x + n for n in range(3)]
print([f(10) for f in adders], [f(10) for f in late])
x = "global"


def outer():
    x = "enclosing"

    def inner():
        global x
        x = "changed"
        return x
    return inner(), x


print(outer(), x)
print((lambda *a, **k: (a, k))(1, 2, z=3), [*map(lambda p: p[0] * p[1], zip([1, 2], [3, 4]))])
