import timeit
from timeit import default_timer as timer

setup = "data = list(range(100))"
t1 = timeit.timeit("[x * 2 for x in data]", setup=setup, number=100)
t2 = timeit.timeit("list(map(lambda x: x * 2, data))", setup=setup, number=100)
print(t1 > 0, t2 > 0)


def f():
    return "-".join(str(n) for n in range(50))


print(timeit.timeit(f, number=50) > 0, min(timeit.repeat(f, repeat=3, number=10)) > 0)
print(timeit.timeit("f()", globals=globals(), number=3) > 0)
start = timer()
f()
print(timer() - start >= 0)
