import numpy as np

rng = np.random.default_rng(42)


class Simulation:
    def __init__(self, n=50, size=20):
        self.grid = rng.random((size, size)) < 0.3

    def step(self):
        n = sum(np.roll(np.roll(self.grid, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        self.grid = (n == 3) | (self.grid & (n == 2))
        return int(self.grid.sum())


s = Simulation()
print([s.step() for _ in range(5)])
A = rng.normal(size=(4, 4))
Q, R = np.linalg.qr(A)
print(np.allclose(Q @ R, A), np.linalg.matrix_rank(A), np.round(np.linalg.det(np.eye(3) * 2), 3))
w, v = np.linalg.eigh(A + A.T)
U, S, Vt = np.linalg.svd(A)
print(np.all(np.diff(w) >= 0), S.shape, np.linalg.norm(A).round(3), np.linalg.cond(np.eye(2)))
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as e:
    print("singular:", e)
x = np.arange(12).reshape(3, 4)
print(x.sum(axis=0), x[::2, 1:3], x[x > 5], np.where(x % 2, x, -x)[0], np.einsum("ij,kj->ik", x, x).shape, x.T.flags["C_CONTIGUOUS"])
print(np.percentile(x, [25, 50]), np.histogram(x, bins=3), np.unique([3, 1, 3], return_counts=True), np.cumsum(x[0]), np.argsort([3, 1, 2]), np.interp(1.5, [1, 2], [10, 20]))
rec = np.array([("a", 1, 2.5)], dtype=[("name", "U10"), ("n", "i4"), ("v", "f8")])
print(rec["name"], rec.dtype.names, np.vectorize(lambda a: a * 2)([1, 2]), np.fromfunction(lambda i, j: i + j, (2, 2)), np.meshgrid([1, 2], [3])[0])
with np.errstate(divide="ignore", invalid="ignore"):
    print(np.array([1.0, 0]) / 0)
np.set_printoptions(precision=2, suppress=True)
print(np.array([1.23456, 1e-9]), np.array2string(np.arange(3), separator=","), np.isclose(0.1 + 0.2, 0.3), np.nanmean([1, np.nan]))
np.savetxt("m.csv", x, delimiter=",", fmt="%d", header="a,b,c,d", comments="")
print(np.loadtxt("m.csv", delimiter=",", skiprows=1).shape, np.genfromtxt("m.csv", delimiter=",", names=True)["a"])
np.save("x.npy", x); print(np.load("x.npy").shape); np.savez("z.npz", a=x); print(np.load("z.npz")["a"].shape)
import os; os.remove("x.npy"); os.remove("z.npz")
print(np.fft.rfft(np.ones(4)).real, np.convolve([1, 2], [1, 1]), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(2), np.roots([1, -3, 2]), np.poly1d([1, 2])(3), np.gradient([1, 4, 9]), np.trapezoid([1, 2, 3]))
print(np.datetime64("2024-01-01") + np.timedelta64(1, "D"), np.random.seed(0), np.random.rand(2).round(3), np.random.RandomState(1).randint(5), rng.choice([1, 2, 3], p=[0.2, 0.3, 0.5]), rng.permutation(3), rng.multivariate_normal([0, 0], np.eye(2)).shape)
class MyArr(np.ndarray):
    def __new__(cls, data, info=None):
        obj = np.asarray(data).view(cls)
        obj.info = info
        return obj
    def __array_finalize__(self, obj):
        self.info = getattr(obj, "info", None)
m = MyArr([1, 2, 3], "hi"); print(m[1:].info, type(m + 1).__name__)
@np.vectorize
def sq(a): return a * a
print(sq([1, 2]), np.apply_along_axis(sum, 0, x), np.iinfo(np.int8).max, np.finfo(float).eps, np.result_type(1, 2.0), np.block([[np.eye(1), np.zeros((1, 1))]]))
