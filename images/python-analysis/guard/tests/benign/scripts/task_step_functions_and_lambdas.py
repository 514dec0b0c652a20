def apply(func, *args, **kwargs):
    return func(*args, **kwargs)
square = lambda x: x ** 2
compose = lambda f, g: lambda x: f(g(x))
print(apply(square, 4), compose(square, abs)(-3))
print(list(map(lambda p: p[0] * p[1], zip([1, 2], [3, 4]))))
def outer(n):
    def inner(m, k=2):
        return n * m * k
    return inner
print(outer(2)(3), outer(2)(3, k=5))
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
print(fact(10), (lambda *a, **k: (a, k))(1, 2, x=3))
print(sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1]))
