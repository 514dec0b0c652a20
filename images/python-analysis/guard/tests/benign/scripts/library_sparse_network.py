# # A contact network in sparse matrices
import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse import csr_matrix, coo_matrix, diags, eye, kron, hstack, vstack, csr_array, lil_matrix, dok_matrix, block_diag, find, random as sprandom, save_npz
from scipy.sparse.linalg import spsolve, eigsh, svds, cg, LinearOperator, splu, lsqr, expm_multiply, gmres, norm as spnorm
from scipy.sparse.csgraph import connected_components, shortest_path, dijkstra, minimum_spanning_tree, breadth_first_order, laplacian, reverse_cuthill_mckee, maximum_flow

rng = np.random.default_rng(62)
n = 150
e = pd.DataFrame({"a": rng.integers(0, n, 400), "b": rng.integers(0, n, 400), "hours": rng.exponential(2, 400)}).query("a != b")
A = coo_matrix((e.hours, (e.a, e.b)), shape=(n, n)).tocsr()
A = A + A.T
print(A.shape, A.nnz, A.dtype, repr(A).split(" with ")[0], A.has_canonical_format)
deg = np.asarray((A > 0).sum(axis=1)).ravel()
print("degree", pd.Series(deg).describe().round(2).to_dict())
k, comp = connected_components(A, directed=False)
print(k, np.bincount(comp)[:3])
d = dijkstra(A, indices=0, unweighted=True)
print("reach", np.isfinite(d).sum(), "diameter from 0", d[np.isfinite(d)].max())
print(minimum_spanning_tree(A).sum().round(1), breadth_first_order(A, 0)[0][:5], reverse_cuthill_mckee(A)[:3].shape)
L = laplacian(A, normed=True)
vals = eigsh(L, k=3, which="SM", return_eigenvectors=False, tol=1e-6, v0=np.ones(n))
print(np.sort(vals).round(4))
P = diags(1 / np.maximum(np.asarray(A.sum(1)).ravel(), 1e-12)) @ A
pr = np.full(n, 1 / n)
for _ in range(100):
    pr = .15 / n + .85 * P.T @ pr
print("pagerank top", np.argsort(-pr)[:4])
M = eye(n) * 2 + L
x = spsolve(M.tocsc(), np.ones(n))
y, info = cg(M, np.ones(n), rtol=1e-10)
print(np.allclose(x, y), info, splu(M.tocsc()).solve(np.ones(n))[:2].round(4))
op = LinearOperator((n, n), matvec=lambda v: M @ v, dtype=float)
z, info = gmres(op, np.ones(n), rtol=1e-8)
print(np.allclose(x, z, atol=1e-5), spnorm(M).round(2))
u, s, vt = svds(A.astype(float), k=3, v0=np.ones(n))
print(np.sort(s)[::-1].round(2))
lil = lil_matrix((4, 4)); lil[0, 1] = 2; lil[3] = 1
dok = dok_matrix((3, 3)); dok[1, 2] = 5
print(lil.toarray(), dict(dok), kron(eye(2), [[1, 2]]).toarray())
H = hstack([A[:, :3], csr_matrix(np.ones((n, 1)))])
print(H.shape, vstack([A[:2], A[5:6]]).shape, block_diag([[[1]], [[2, 3]]]).toarray())
i, j, v = find(A[:3])
print(len(v), A.max().round(2), A[0].indices[:3], A.getrow(0).nnz, A.diagonal().sum())
print(lsqr(A, np.ones(n))[0].shape, expm_multiply(-.1 * L, np.ones(n))[:2].round(3))
cap = csr_matrix(np.array([[0, 4, 3, 0], [0, 0, 1, 2], [0, 0, 0, 5], [0, 0, 0, 0]]))
print("flow", maximum_flow(cap, 0, 3).flow_value)
df = pd.DataFrame.sparse.from_spmatrix(A[:5, :5])
print(df.sparse.density.round(3), df.dtypes.iloc[0])
ca = csr_array([[1, 0], [0, 2]])
print((ca * ca).toarray().tolist(), (ca @ ca).toarray().tolist())
