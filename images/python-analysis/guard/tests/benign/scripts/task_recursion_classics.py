import sys
from functools import lru_cache

sys.setrecursionlimit(2000)


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def hanoi(n, source="A", target="C", spare="B", moves=None):
    if moves is None:
        moves = []
    if n:
        hanoi(n - 1, source, spare, target, moves)
        moves.append((source, target))
        hanoi(n - 1, spare, target, source, moves)
    return moves


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def flatten(nested):
    for item in nested:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item


print("20! =", factorial(20))
print("fib(80) =", fib(80))
moves = hanoi(4)
print(len(moves), "moves, first five:", moves[:5])
print("A(2, 3) =", ackermann(2, 3))
print(list(flatten([1, [2, (3, [4, [5]])], 6])))
print(fib.cache_info())
