# # Spectra and matrices
import numpy as np
from scipy import fft, linalg, special, constants
from scipy.linalg import (solve, lstsq, cho_factor, cho_solve, svd, qr, lu, expm, logm, sqrtm, eigh, eig, schur, pinv, null_space, orth, toeplitz, block_diag, solve_triangular, det, inv, polar, hankel, circulant, solve_sylvester, solve_discrete_lyapunov, subspace_angles, ldl, interpolative)
import matplotlib.pyplot as plt

n = 365 * 3
t = np.arange(n)
rng = np.random.default_rng(0)
births = 100 + 8 * np.sin(2 * np.pi * t / 365.25) + 4 * np.cos(2 * np.pi * t / 7) + rng.normal(0, 3, n)
F = fft.rfft(births - births.mean(), norm="ortho")
fr = fft.rfftfreq(n, d=1)
top = np.argsort(-np.abs(F))[:2]
print("periods", (1 / fr[top]).round(1))
keep = np.where(np.abs(F) > np.sort(np.abs(F))[-5], F, 0)
rec = fft.irfft(keep, n, norm="ortho") + births.mean()
print("explained", (1 - np.var(births - rec) / np.var(births)).round(3), fft.next_fast_len(n), fft.fftshift(fft.fftfreq(4)))
with fft.set_workers(1):
    print(fft.fft2(np.eye(4)).real.sum(), fft.dct(np.arange(4.), type=2, norm="ortho").round(3), fft.idst(fft.dst(np.arange(3.))).round(6))
print(np.abs(np.fft.fft([1, 0, -1, 0])), np.fft.ifft(np.fft.fft([1, 2, 3])).real)
C = toeplitz(.7 ** np.arange(6))
c, low = cho_factor(C)
b = np.arange(6.)
print(np.allclose(cho_solve((c, low), b), solve(C, b, assume_a="pos")), det(C).round(4), np.linalg.slogdet(C))
w, V = eigh(C, subset_by_index=[4, 5])
print(w.round(3), V.shape, np.linalg.cond(C).round(2), np.linalg.matrix_rank(np.outer(b, b)))
Q = np.array([[-.3, .2, .1], [0, -.5, .5], [0, 0, 0]])
print("state probabilities after 2 years\n", expm(2 * Q).round(3))
print(np.allclose(logm(expm(Q)).real, Q), sqrtm(C)[0, 0].round(4))
U, s, Vt = svd(rng.normal(size=(8, 3)), full_matrices=False)
Qm, Rm, piv = qr(rng.normal(size=(5, 3)), mode="economic", pivoting=True)
print(s.shape, Qm.shape, piv.shape, [m.shape for m in lu(C)], null_space([[1, 1, 0]]).shape, pinv(np.ones((2, 3))).round(3)[0])
x, res, rank, sv = lstsq(np.c_[np.ones(6), b], b ** 2)
print(x.round(3), rank, solve_triangular([[2., 0], [1, 1]], [2., 3], lower=True), np.rad2deg(subspace_angles(np.eye(3)[:, :1], np.ones((3, 1)))).round(2))
T, Z = schur(np.array([[0, 1], [-1, 0.]]))
print(np.allclose(Z @ T @ Z.T, [[0, 1], [-1, 0]]), block_diag([1], np.eye(2)).shape, circulant([1, 2, 3])[1], solve_sylvester(np.eye(2), np.eye(2), np.ones((2, 2))))
print(special.gammaln(5.5).round(4), special.expit(0), special.erf(.5).round(4), special.comb(10, 3, exact=True), special.logsumexp([1, 2, 3]).round(4), special.digamma(2.).round(4), special.betainc(2, 3, .4).round(4), special.xlogy(0, 0), special.softmax([1., 2]).round(3))
print(constants.k, constants.convert_temperature(37, "Celsius", "Fahrenheit"), constants.value("electron mass") < 1e-29)
try:
    linalg.cholesky([[1, 2], [2, 1]])
except linalg.LinAlgError as err:
    print(type(err).__name__, err)
print(np.einsum("ij,jk->ik", C, C).shape, np.kron([1, 2], [1, 1]), np.linalg.multi_dot([C, C, b]).round(1)[:2])
fig, ax = plt.subplots()
ax.stem(1 / fr[1:60], np.abs(F[1:60]))
ax.set_xscale("log")
