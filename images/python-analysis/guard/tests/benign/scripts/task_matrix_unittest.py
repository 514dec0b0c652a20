"""A tiny matrix class and its unit tests."""
import io
import unittest
from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [list(map(Fraction, row)) for row in rows]
        if len({len(r) for r in self.rows}) != 1:
            raise ValueError("rows differ in length")

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    def __getitem__(self, key):
        i, j = key
        return self.rows[i][j]

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape}")
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in zip(*other.rows)] for row in self.rows])

    def det(self):
        rows = [row[:] for row in self.rows]
        n, result = len(rows), Fraction(1)
        for i in range(n):
            pivot = next((k for k in range(i, n) if rows[k][i]), None)
            if pivot is None:
                return Fraction(0)
            if pivot != i:
                rows[i], rows[pivot] = rows[pivot], rows[i]
                result = -result
            result *= rows[i][i]
            for k in range(i + 1, n):
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
        return result


class MatrixTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.a = Matrix([[2, 1], [7, 4]])

    def setUp(self):
        self.i = Matrix.identity(2)

    def test_identity(self):
        self.assertEqual(self.a @ self.i, self.a)

    def test_det(self):
        for rows, expected in [([[1]], 1), ([[0, 1], [1, 0]], -1), ([[1, 2], [2, 4]], 0)]:
            with self.subTest(rows=rows):
                self.assertEqual(Matrix(rows).det(), expected)

    def test_ragged(self):
        with self.assertRaisesRegex(ValueError, "differ"):
            Matrix([[1], [1, 2]])

    def test_shapes(self):
        self.assertRaises(ValueError, lambda: self.a @ Matrix([[1, 2, 3]]))
        self.assertTupleEqual(self.a.shape, (2, 2))

    @unittest.expectedFailure
    def test_wrong(self):
        self.assertAlmostEqual(float(self.a.det()), 2.0)

    @unittest.skip("slow")
    def test_slow(self):
        self.fail("never")


stream = io.StringIO()
suite = unittest.defaultTestLoader.loadTestsFromTestCase(MatrixTest)
result = unittest.TextTestRunner(stream=stream, verbosity=2).run(suite)
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful())
print("\n".join(line for line in stream.getvalue().splitlines() if "..." in line))
