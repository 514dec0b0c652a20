from __future__ import annotations
from fractions import Fraction
from itertools import product
from typing import Iterable, Sequence


class Matrix:
    def __init__(self, rows: Iterable[Sequence[float]]):
        self._rows = [list(map(Fraction, r)) for r in rows]
        if len({len(r) for r in self._rows}) != 1:
            raise ValueError("ragged rows")

    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self._rows), len(self._rows[0])
    @property
    def T(self): return Matrix(zip(*self._rows))
    def __getitem__(self, key):
        i, j = key
        return self._rows[i][j]
    def __setitem__(self, key, value): self._rows[key[0]][key[1]] = Fraction(value)
    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape}")
        cols = list(zip(*other._rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self._rows])
    def __add__(self, o): return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self._rows, o._rows)])
    def __mul__(self, k): return Matrix([[k * a for a in r] for r in self._rows])
    __rmul__ = __mul__
    def __eq__(self, o): return self._rows == o._rows
    def __pow__(self, n):
        out, base = Matrix.identity(self.shape[0]), self
        while n:
            if n & 1: out = out @ base
            base, n = base @ base, n >> 1
        return out
    def minor(self, i, j): return Matrix([r[:j] + r[j + 1:] for k, r in enumerate(self._rows) if k != i])
    def det(self):
        n, _ = self.shape
        if n == 1: return self[0, 0]
        return sum((-1) ** j * self[0, j] * self.minor(0, j).det() for j in range(n))
    def inverse(self):
        d = self.det()
        if not d: raise ZeroDivisionError("singular")
        n = self.shape[0]
        if n == 1: return Matrix([[1 / d]])
        return Matrix([[(-1) ** (i + j) * self.minor(j, i).det() / d for j in range(n)] for i in range(n)])
    def __str__(self): return "\n".join(" ".join(f"{str(x):>5}" for x in r) for r in self._rows)


A = Matrix([[2, 1], [5, 3]])
print(A, A.T, A.det(), A.inverse(), sep="\n")
print(A @ A.inverse() == Matrix.identity(2), (Matrix([[1, 1], [1, 0]]) ** 30)[0, 1], 2 * A == A + A)
for bad in (lambda: Matrix([[1], [1, 2]]), lambda: A @ Matrix([[1, 2, 3]]), lambda: Matrix([[1, 2], [2, 4]]).inverse()):
    try: bad()
    except (ValueError, ZeroDivisionError) as e: print(type(e).__name__, e)
