"""Determinant, inverse and rank of a matrix with fractions."""
from fractions import Fraction
from copy import deepcopy


class Matrix:
    def __init__(self, rows):
        self.rows = [[Fraction(x) for x in row] for row in rows]
        widths = {len(r) for r in self.rows}
        if len(widths) != 1:
            raise ValueError("ragged rows")
        self.shape = (len(self.rows), widths.pop())

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not match")
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in zip(*other.rows)] for row in self.rows])

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __iter__(self):
        return iter(self.rows)

    def __repr__(self):
        return "\n".join(" ".join(f"{str(x):>6}" for x in row) for row in self.rows)

    def det(self):
        n, m = self.shape
        assert n == m, "not square"
        a, sign, det = deepcopy(self.rows), 1, Fraction(1)
        for i in range(n):
            pivot = next((r for r in range(i, n) if a[r][i]), None)
            if pivot is None:
                return Fraction(0)
            if pivot != i:
                a[i], a[pivot] = a[pivot], a[i]
                sign = -sign
            det *= a[i][i]
            for r in range(i + 1, n):
                factor = a[r][i] / a[i][i]
                a[r] = [x - factor * y for x, y in zip(a[r], a[i])]
        return sign * det

    def inverse(self):
        n = self.shape[0]
        if not self.det():
            raise ZeroDivisionError("singular matrix")
        a = [row + ident for row, ident in zip(deepcopy(self.rows), Matrix.identity(n).rows)]
        for i in range(n):
            pivot = next(r for r in range(i, n) if a[r][i])
            a[i], a[pivot] = a[pivot], a[i]
            a[i] = [x / a[i][i] for x in a[i]]
            for r in range(n):
                if r != i:
                    a[r] = [x - a[r][i] * y for x, y in zip(a[r], a[i])]
        return Matrix([row[n:] for row in a])


m = Matrix([[2, -1, 3], [0, 4, 1], [5, 2, "1/2"]])
print(m)
print("det =", m.det(), float(m.det()))
print(m.inverse())
print(m @ m.inverse() == Matrix.identity(3))
for bad in ([[1, 2], [2, 4]], [[1, 2], [3]]):
    try:
        print(Matrix(bad).inverse())
    except (ZeroDivisionError, ValueError) as err:
        print(type(err).__name__, err, sep=": ")
