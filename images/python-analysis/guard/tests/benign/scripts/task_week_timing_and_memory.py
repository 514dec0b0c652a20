import timeit, time, tracemalloc, functools, sys
def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        t0 = time.perf_counter()
        try:
            return fn(*args, **kwargs)
        finally:
            wrapper.last = time.perf_counter() - t0
    return wrapper
@timed
def build_list(n): return [i ** 2 for i in range(n)]
def build_gen(n): return (i ** 2 for i in range(n))
tracemalloc.start()
data = build_list(20000)
current, peak = tracemalloc.get_traced_memory()
tracemalloc.stop()
print(f"peak above current: {peak >= current > 0}", build_list.last > 0)
print(sys.getsizeof(data) > sys.getsizeof(build_gen(20000)))
setup = "from __main__ import build_list, build_gen"
a = timeit.timeit("build_list(100)", setup=setup, number=200)
b = timeit.timeit("sum(build_gen(100))", setup=setup, number=200)
print(a > 0, b > 0)
print(min(timeit.repeat(lambda: sum(data[:100]), number=50, repeat=3)) > 0)
names = {"loop": "t=0\nfor i in r: t+=i", "sum": "sum(r)"}
for k, stmt in names.items():
    print(k, timeit.Timer(stmt, globals={"r": range(50)}).timeit(100) > 0)
