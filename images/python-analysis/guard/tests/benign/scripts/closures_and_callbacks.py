from functools import partial, reduce
import operator

def make_counter(start=0):
    count = start
    def increment(step=1):
        nonlocal count
        count += step
        return count
    return increment

def compose(*functions):
    return reduce(lambda f, g: lambda x: g(f(x)), functions)

def memoize(function):
    seen = {}
    def wrapper(*args):
        if args not in seen:
            seen[args] = function(*args)
        return seen[args]
    wrapper.cache = seen
    return wrapper

@memoize
def slow(n):
    return n * n

counter = make_counter(10)
counter(), counter(5)
print(counter(), compose(abs, float, str)(-3), slow(4), slow(4), slow.cache, partial(int, base=2)("101"))
pipeline = [str.strip, str.lower, lambda s: s.replace(" ", "_")]
print(reduce(lambda value, f: f(value), pipeline, "  Systolic BP "), list(map(operator.mul, [1, 2], [3, 4])), operator.itemgetter("a", "b")({"a": 1, "b": 2}))
handlers = {"mean": lambda s: s.mean(), "n": len, "max": max}
print({name: round(float(f(visits["sbp"].dropna())), 2) for name, f in handlers.items()})
print(visits["sbp"].dropna().agg([np_name for np_name in ("min", "max")]).tolist(), sorted(handlers, key=str.lower), list(filter(None, [0, 1, "", "a"])))
