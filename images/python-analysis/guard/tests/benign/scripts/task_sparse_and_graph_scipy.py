import numpy as np
from scipy import sparse
from scipy.sparse import csr_matrix, coo_matrix, diags
from scipy.sparse.csgraph import connected_components, dijkstra, minimum_spanning_tree
from scipy.sparse.linalg import eigsh, spsolve

rows, cols, vals = [0, 1, 2, 3, 4], [1, 2, 0, 4, 3], [4, 1, 2, 7, 7]
g = coo_matrix((vals, (rows, cols)), shape=(5, 5)).tocsr()
n, labels = connected_components(g, directed=False)
print("components:", n, labels)
print(dijkstra(g, indices=0))
print("MST:", minimum_spanning_tree(g).sum(), g.nnz, g.toarray()[0].tolist())

size = 50
lap = diags([-1, 2, -1], [-1, 0, 1], shape=(size, size), format="csr")
x = spsolve(lap, np.ones(size))
print("max %.2f" % x.max(), np.allclose(lap @ x, 1))
vals, _ = eigsh(lap, k=2, which="LA", v0=np.ones(size))
print("largest eigenvalue %.4f" % vals.max())
eye = sparse.identity(3, format="csc")
print(sparse.hstack([eye, eye]).shape, sparse.kron(eye, csr_matrix([[1, 2]])).shape, (eye * 3).diagonal())
m = sparse.random(20, 20, density=0.1, random_state=1, format="csr")
print(m.nnz, round(float(m.sum()), 4), m.getrow(0).nnz, sparse.issparse(m), (m > 0.5).nnz)
lil = sparse.lil_matrix((3, 3))
lil[0, 1] = 5
print(lil.tocsr())
