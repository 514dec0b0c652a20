from __future__ import annotations
from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [[Fraction(x) for x in row] for row in rows]
        if len({len(r) for r in self.rows}) != 1:
            raise ValueError("rows differ in length")

    @classmethod
    def identity(cls, n: int) -> Matrix:
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __matmul__(self, other: Matrix) -> Matrix:
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in zip(*other.rows)] for row in self.rows])

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def inverse(self) -> Matrix:
        n = len(self.rows)
        a = [row[:] + eye for row, eye in zip(self.rows, Matrix.identity(n).rows)]
        for i in range(n):
            pivot = next((r for r in range(i, n) if a[r][i]), None)
            if pivot is None:
                raise ZeroDivisionError("singular matrix")
            a[i], a[pivot] = a[pivot], a[i]
            a[i] = [x / a[i][i] for x in a[i]]
            for r in range(n):
                if r != i:
                    a[r] = [x - a[r][i] * y for x, y in zip(a[r], a[i])]
        return Matrix([row[n:] for row in a])

    def __str__(self):
        return "\n".join(" ".join(f"{str(x):>6}" for x in row) for row in self.rows)


m = Matrix([[2, 1, 0], [1, 3, 1], [0, 1, 4]])
print(m.inverse())
print(m @ m.inverse() == Matrix.identity(3), m.T == m, m.shape)
try:
    Matrix([[1, 2], [2, 4]]).inverse()
except ZeroDivisionError as e:
    print("error:", e)
