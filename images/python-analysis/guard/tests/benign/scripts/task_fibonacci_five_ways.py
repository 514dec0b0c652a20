import timeit
from functools import reduce
from itertools import islice

import numpy as np


def recursive(n, memo={0: 0, 1: 1}):
    if n not in memo:
        memo[n] = recursive(n - 1) + recursive(n - 2)
    return memo[n]


def iterative(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def generator():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def matrix(n):
    m = np.array([[1, 1], [1, 0]], dtype=object)
    return np.linalg.matrix_power(m, n)[0, 1] if n else 0


def fast_doubling(n):
    if n == 0:
        return 0, 1
    a, b = fast_doubling(n >> 1)
    c, d = a * (2 * b - a), a * a + b * b
    return (d, c + d) if n & 1 else (c, d)


def reduced(n):
    return reduce(lambda p, _: (p[1], p[0] + p[1]), range(n), (0, 1))[0]


print(list(islice(generator(), 15)))
n = 90
answers = {recursive(n), iterative(n), next(islice(generator(), n, None)), int(matrix(n)), fast_doubling(n)[0], reduced(n)}
print(answers)
golden = (1 + 5**0.5) / 2
print(round(golden**30 / 5**0.5) == iterative(30), iterative(300) % 10**9)
elapsed = timeit.timeit(lambda: iterative(50), number=200)
print("timed:", elapsed > 0)
