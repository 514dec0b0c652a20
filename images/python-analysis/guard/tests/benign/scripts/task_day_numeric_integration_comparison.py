#!/usr/bin/env python3
import math
import sys
from typing import Callable

Function = Callable[[float], float]


def trapezoid(f: Function, a: float, b: float, n: int) -> float:
    h = (b - a) / n
    return h * (0.5 * f(a) + sum(f(a + i * h) for i in range(1, n)) + 0.5 * f(b))


def simpson(f: Function, a: float, b: float, n: int) -> float:
    if n % 2:
        n += 1
    h = (b - a) / n
    odd = sum(f(a + i * h) for i in range(1, n, 2))
    even = sum(f(a + i * h) for i in range(2, n, 2))
    return h / 3 * (f(a) + 4 * odd + 2 * even + f(b))


def gauss3(f: Function, a: float, b: float, n: int) -> float:
    nodes = (-math.sqrt(3 / 5), 0.0, math.sqrt(3 / 5))
    weights = (5 / 9, 8 / 9, 5 / 9)
    h = (b - a) / n
    total = 0.0
    for i in range(n):
        mid = a + (i + 0.5) * h
        total += sum(w * f(mid + h / 2 * x) for x, w in zip(nodes, weights))
    return total * h / 2


def adaptive(f, a, b, tol=1e-9, depth=0):
    m = (a + b) / 2
    whole, parts = simpson(f, a, b, 2), simpson(f, a, m, 2) + simpson(f, m, b, 2)
    if abs(parts - whole) < 15 * tol or depth > 40:
        return parts + (parts - whole) / 15
    return adaptive(f, a, m, tol / 2, depth + 1) + adaptive(f, m, b, tol / 2, depth + 1)


CASES = [
    ("x^3 - x", lambda x: x ** 3 - x, 0, 2, 2.0),
    ("exp(-x^2)", lambda x: math.exp(-x * x), 0, 1, 0.7468241328124271),
    ("1/(1+x^2)", lambda x: 1 / (1 + x * x), 0, 1, math.pi / 4),
]


def main() -> None:
    methods = [trapezoid, simpson, gauss3]
    header = f"{'integrand':<12}" + "".join(f"{m.__name__:>14}" for m in methods) + f"{'adaptive':>14}"
    print(header)
    print("-" * len(header))
    for name, f, a, b, exact in CASES:
        errors = [abs(m(f, a, b, 16) - exact) for m in methods] + [abs(adaptive(f, a, b) - exact)]
        print(f"{name:<12}" + "".join(f"{e:>14.1e}" if e > 1e-12 else f"{'~0':>14}" for e in errors))
    print("eps", sys.float_info.epsilon, math.nextafter(1, 2) - 1 == sys.float_info.epsilon, file=sys.stdout)


if __name__ == "__main__":
    main()
