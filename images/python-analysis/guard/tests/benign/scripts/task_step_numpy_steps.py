import numpy as np
a = np.arange(12).reshape(3, 4)
print(a.mean(axis=0), a[a > 5].tolist(), (a @ a.T).shape, np.linalg.solve(np.array([[2, 0], [0, 4]]), np.array([2, 8])))
rng = np.random.default_rng(0)
print(rng.normal(size=3).round(2), np.random.seed(1), np.std([1, 2, 3]))
print(np.where(a % 2 == 0, a, 0).sum(), np.concatenate([a, a]).shape, np.fft.fft([1, 0, 0, 0]).real)
a[0] = 9; a[:, 1] += 1; print(a)
