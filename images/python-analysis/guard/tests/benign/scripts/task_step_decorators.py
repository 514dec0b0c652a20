import functools, time
def timer(f):
    @functools.wraps(f)
    def w(*a, **k):
        t = time.time(); r = f(*a, **k); print(f.__name__, "took", time.time() - t >= 0); return r
    return w
def repeat(n):
    def deco(f):
        @functools.wraps(f)
        def w(*a): return [f(*a) for _ in range(n)]
        return w
    return deco
@timer
@repeat(2)
def hi(x): return f"hi {x}"
print(hi("z"))
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), fib.cache_info().hits > 0)
class Count:
    def __init__(self, f): self.f = f; self.n = 0
    def __call__(self, *a): self.n += 1; return self.f(*a)
@Count
def g(x): return x
g(1); g(2); print(g.n)
@property
def p(self): return 1
C = type("C", (), {"p": p}); print(C().p)
