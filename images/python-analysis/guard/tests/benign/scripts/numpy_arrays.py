import numpy as np

m = np.arange(24, dtype=float).reshape(2, 3, 4)
print(m.sum(axis=(0, 2)), m[..., ::2].shape, m[m > 20], m.T.shape, m.ravel()[-1])
masked = np.ma.masked_invalid([1.0, np.nan, 3.0])
print(masked.mean(), np.nanmean([1, np.nan]), np.where(m > 22))
records = np.array([("a", 1, 2.5), ("b", 2, 3.5)], dtype=[("name", "U5"), ("n", int), ("x", float)])
print(records["x"].mean(), records[records["n"] > 1]["name"], records.dtype.names)
print(np.unique([3, 1, 3, 2], return_counts=True), np.histogram([1, 2, 2, 5], bins=[0, 2, 4, 6])[0])
with np.printoptions(precision=2, suppress=True):
    print(np.linspace(0, 1, 5) / 3)
print(np.array2string(np.eye(2), formatter={"float_kind": lambda v: f"{v:.1f}"}))
np.save(OUTPUT / "m.npy", m)
print(np.load(OUTPUT / "m.npy").shape)
np.savetxt(OUTPUT / "m.txt", m[0], fmt="%.1f", delimiter=",", header="a,b,c,d")
print(np.loadtxt(OUTPUT / "m.txt", delimiter=",").sum(), np.genfromtxt(OUTPUT / "m.txt", delimiter=",", names=True).dtype.names)
for name in ("m.npy", "m.txt"):
    (OUTPUT / name).unlink()
poly = np.polynomial.Polynomial.fit([0, 1, 2], [1, 3, 7], 2)
print(poly.convert().coef.round(3), np.vectorize(lambda v: v if v % 2 else -v)(np.arange(4)))
print(np.fft.rfft([1, 0, 0, 0]).real, np.cumsum([1, 2, 3]), np.clip([-1, 5], 0, 3), np.datetime64("2021-01-01") + np.timedelta64(3, "D"))
