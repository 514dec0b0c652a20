import numpy as np
from numpy import linalg as la
from scipy import linalg

a = np.array([[4.0, 1, 2], [1, 3, 0], [2, 0, 5]])
values, vectors = la.eigh(a)
print(values.round(4), np.allclose(vectors @ np.diag(values) @ vectors.T, a))
print(la.solve(a, [1, 2, 3]).round(4), la.det(a).round(3), la.matrix_rank(a), la.norm(a).round(3))
u, s, vt = la.svd(a)
print(s.round(3), linalg.cholesky(a, lower=True)[0].round(3), linalg.expm(np.zeros((2, 2))))
x = visits[["sbp", "dbp", "hr"]].dropna().to_numpy()
centred = x - x.mean(axis=0)
cov = np.cov(centred, rowvar=False)
order = np.argsort(la.eigvalsh(cov))[::-1]
print((la.eigvalsh(cov)[order] / np.trace(cov)).round(3))
print(np.einsum("ij,jk->ik", a, a)[0], np.kron([1, 2], [1, 1]), np.linalg.lstsq(centred[:, :1], centred[:, 1], rcond=None)[0].round(3))
