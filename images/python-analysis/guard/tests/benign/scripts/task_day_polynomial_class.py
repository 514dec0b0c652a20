from __future__ import annotations
from itertools import zip_longest
from numbers import Number


class Polynomial:
    """Dense polynomial with integer or float coefficients, lowest degree first."""

    __slots__ = ("coeffs",)

    def __init__(self, *coeffs):
        coeffs = list(coeffs) or [0]
        while len(coeffs) > 1 and coeffs[-1] == 0:
            coeffs.pop()
        object.__setattr__(self, "coeffs", tuple(coeffs))

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is immutable")

    @property
    def degree(self):
        return len(self.coeffs) - 1

    def __call__(self, x):
        result = 0
        for c in reversed(self.coeffs):
            result = result * x + c
        return result

    def __add__(self, other):
        if isinstance(other, Number):
            other = Polynomial(other)
        if not isinstance(other, Polynomial):
            return NotImplemented
        return Polynomial(*(a + b for a, b in zip_longest(self.coeffs, other.coeffs, fillvalue=0)))

    __radd__ = __add__

    def __neg__(self):
        return Polynomial(*(-c for c in self.coeffs))

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, other):
        if isinstance(other, Number):
            return Polynomial(*(c * other for c in self.coeffs))
        out = [0] * (self.degree + other.degree + 1)
        for i, a in enumerate(self.coeffs):
            for j, b in enumerate(other.coeffs):
                out[i + j] += a * b
        return Polynomial(*out)

    __rmul__ = __mul__

    def __pow__(self, n: int):
        result = Polynomial(1)
        for _ in range(n):
            result = result * self
        return result

    def __divmod__(self, other):
        quotient, rest = [0] * max(self.degree - other.degree + 1, 1), list(self.coeffs)
        for shift in range(self.degree - other.degree, -1, -1):
            factor = rest[shift + other.degree] / other.coeffs[-1]
            quotient[shift] = factor
            for i, c in enumerate(other.coeffs):
                rest[shift + i] -= factor * c
        return Polynomial(*quotient), Polynomial(*rest)

    def derivative(self):
        return Polynomial(*(i * c for i, c in enumerate(self.coeffs))[1:]) if False else Polynomial(*[i * c for i, c in enumerate(self.coeffs)][1:])

    def __eq__(self, other):
        return isinstance(other, Polynomial) and self.coeffs == other.coeffs

    def __hash__(self):
        return hash(self.coeffs)

    def __getitem__(self, power):
        return self.coeffs[power]

    def __iter__(self):
        yield from self.coeffs

    def __format__(self, spec):
        return " + ".join(f"{c:{spec}}x^{i}" for i, c in enumerate(self.coeffs) if c)

    def __str__(self):
        return format(self, "")

    def __repr__(self):
        return f"Polynomial{self.coeffs}"


p, q = Polynomial(1, 2, 3), Polynomial(-1, 1)
print(p + q, p - q, p * q, 2 * p, q ** 3, sep=" | ")
print(divmod(p * q, q), p(2), p.derivative(), f"{p:.1f}")
print(p == Polynomial(1, 2, 3, 0), len({p, Polynomial(1, 2, 3)}), list(p), p[2], 5 + q)
try:
    p.coeffs = ()
except AttributeError as e:
    print(e)
try:
    p + "x"
except TypeError as e:
    print(type(e).__name__)
