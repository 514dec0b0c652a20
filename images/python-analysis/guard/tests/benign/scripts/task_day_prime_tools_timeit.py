import timeit
import time
from itertools import compress, islice, count
import math


def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[0:2] = b"\0\0"
    for i in range(2, math.isqrt(n) + 1):
        if flags[i]:
            flags[i * i::i] = bytes(len(range(i * i, n + 1, i)))
    return list(compress(range(n + 1), flags))


def lazy():
    composites = {}
    for n in count(2):
        if n not in composites:
            yield n
            composites[n * n] = [n]
        else:
            for p in composites.pop(n):
                composites.setdefault(n + p, []).append(p)


def factorize(n):
    factors = {}
    d = 2
    while d * d <= n:
        while n % d == 0:
            factors[d] = factors.get(d, 0) + 1
            n //= d
        d += 1
    if n > 1:
        factors[n] = factors.get(n, 0) + 1
    return factors


print(sieve(50), list(islice(lazy(), 10)))
print(" * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in factorize(360360).items()))
t1 = timeit.timeit(lambda: sieve(2000), number=5)
t2 = timeit.timeit("sum(range(100))", number=100)
best = min(timeit.repeat(lambda: list(islice(lazy(), 100)), number=2, repeat=3))
print(t1 > 0, t2 > 0, best > 0)
start = time.process_time()
assert sum(1 for p in sieve(10_000)) == 1229
print(time.process_time() - start >= 0, math.gcd(84, 36), math.lcm(4, 6), math.comb(10, 3), math.prod([1, 2, 3]))
