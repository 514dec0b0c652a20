import numpy as np
import scipy
from scipy import constants, linalg, sparse, special
from scipy.sparse import csgraph, linalg as sla
from scipy.sparse.csgraph import breadth_first_order, connected_components, dijkstra, floyd_warshall, maximum_flow, min_weight_full_bipartite_matching, minimum_spanning_tree, reconstruct_path, shortest_path, laplacian
from io import BytesIO

A = np.array([[4.0, 1, 2], [1, 3, 0], [2, 0, 5]])
P, L, U = linalg.lu(A)
print(np.allclose(P @ L @ U, A), linalg.expm(np.zeros((2, 2))), linalg.cho_solve(linalg.cho_factor(A), np.ones(3)).round(3), linalg.schur(A)[0].diagonal().round(2), linalg.null_space([[1, 1]]).round(2), linalg.toeplitz([1, 2, 3])[0], linalg.solve_banded((1, 1), [[0, 1, 1], [4, 4, 4], [1, 1, 0]], np.ones(3)).round(3), linalg.eigh(A, eigvals_only=True, subset_by_index=[0, 1]).round(2), linalg.funm(A, np.exp).shape, linalg.block_diag(1, [2, 3]).shape)
gemm = linalg.get_blas_funcs("gemm", (A,))
print(gemm(1.0, A, A).shape, linalg.lapack.dpotrf(A)[1], gemm.typecode)
S = sparse.random(20, 20, 0.2, random_state=1, format="lil")
S.setdiag(5)
S = S.tocsr()
lu = sla.splu(S.tocsc())
print(S.nnz, lu.solve(np.ones(20)).shape, sla.onenormest(S) > 0, sla.expm_multiply(S, np.ones(20)).shape, sla.spilu(S.tocsc()).L.shape, sla.svds(S, k=2)[1].shape, sla.lsqr(S, np.ones(20))[1], sparse.hstack([S, S]).shape, S.getrow(0).toarray().shape, S[2:4, [1, 3]].todense().shape, S.max(), (S > 4).sum(), sparse.issparse(S), S.T.dot(np.ones(20)).shape)
b = BytesIO()
sparse.save_npz(b, S)
b.seek(0)
print((sparse.load_npz(b) != S).nnz)


class Shift(sla.LinearOperator):
    def __init__(self, n):
        self.shape = (n, n)
        self.dtype = np.dtype(float)

    def _matvec(self, x):
        return np.roll(x, 1) + 3 * x

    def _rmatvec(self, x):
        return np.roll(x, -1) + 3 * x


op = Shift(6)
print((op @ np.arange(6.0)), sla.gmres(op, np.ones(6))[0].round(3), (op * 2 + sla.aslinearoperator(np.eye(6))).dot(np.ones(6)), op.H.matvec(np.ones(6)))
counter = []
sla.cg(sla.aslinearoperator(A), np.ones(3), callback=lambda xk: counter.append(1), M=sla.LinearOperator((3, 3), lambda x: x / A.diagonal()))
g = sparse.csr_array([[0, 1, 2, 0], [0, 0, 0, 1], [0, 0, 0, 3], [0, 0, 0, 0]])
d, pred = dijkstra(g, indices=0, return_predecessors=True)
print(len(counter) > 0, d, pred, connected_components(g), minimum_spanning_tree(g).toarray().sum(), maximum_flow(g.astype(np.int32), 0, 3).flow_value, breadth_first_order(g, 0)[0], csgraph.csgraph_from_dense([[0, 1], [1, 0]]).nnz)
print(special.ellipk(.5).round(4), special.sph_harm_y(1, 0, .1, .2).round(3) if hasattr(special, "sph_harm_y") else "", special.roots_legendre(2)[0].round(3), special.comb(5, 2, exact=True), special.expit(0), special.zeta(2).round(4), special.logsumexp([1, 2]).round(3), special.eval_hermite(3, .5), constants.c, constants.physical_constants["electron mass"][0] > 0, constants.convert_temperature(0, "C", "K"), constants.find("Boltzmann")[0])
print(scipy.__version__ > "1", np.linalg.norm(A, "nuc").round(2), sorted(constants.physical_constants)[0])
