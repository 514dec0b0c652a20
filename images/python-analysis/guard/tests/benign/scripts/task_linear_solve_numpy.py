import numpy as np

A = np.array([[3.0, 2.0, -1.0], [2.0, -2.0, 4.0], [-1.0, 0.5, -1.0]])
b = np.array([1.0, -2.0, 0.0])

x = np.linalg.solve(A, b)
print("solution:", np.round(x, 6))
print("residual norm:", round(float(np.linalg.norm(A @ x - b)), 12))
print("determinant:", round(float(np.linalg.det(A)), 6), "rank:", np.linalg.matrix_rank(A))

vals, vecs = np.linalg.eig(np.array([[4.0, 1.0], [2.0, 3.0]]))
order = np.argsort(vals)
print("eigenvalues:", vals[order])
U, s, Vt = np.linalg.svd(A)
print("singular values:", np.round(s, 4), "cond: %.3f" % np.linalg.cond(A))
print("reconstructed:", np.allclose(U @ np.diag(s) @ Vt, A))
Q, R = np.linalg.qr(A)
print("QR ok:", np.allclose(Q @ R, A), "Q orthogonal:", np.allclose(Q.T @ Q, np.eye(3)))
S = A @ A.T
L = np.linalg.cholesky(S)
print("Cholesky ok:", np.allclose(L @ L.T, S))
xs = np.linspace(0, 5, 20)
ys = 2 + 0.5 * xs + np.sin(xs) * 0.1
coef, res, rank, sv = np.linalg.lstsq(np.vstack([np.ones_like(xs), xs]).T, ys, rcond=None)
print("least squares:", np.round(coef, 3))
try:
    np.linalg.inv(np.ones((2, 2)))
except np.linalg.LinAlgError as e:
    print("LinAlgError:", e)
print(np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 10)[0, 1])
