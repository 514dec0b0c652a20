import io, warnings
import numpy as np, scipy.io as sio, scipy.sparse as sp, scipy.constants as const
from scipy import integrate, interpolate, linalg, special, cluster, spatial, odr, sparse, stats
from scipy.integrate import quad, dblquad, nquad, solve_ivp, odeint, ode, simpson, trapezoid, cumulative_trapezoid, fixed_quad, romb, quad_vec, solve_bvp, OdeSolver, DenseOutput, RK45, BDF, LSODA, Radau, qmc_quad, tplquad, newton_cotes, IntegrationWarning
from scipy.interpolate import interp1d, CubicSpline, UnivariateSpline, PchipInterpolator, Akima1DInterpolator, griddata, RBFInterpolator, RegularGridInterpolator, splrep, splev, make_interp_spline, BSpline, PPoly, BarycentricInterpolator, LinearNDInterpolator, NearestNDInterpolator, CloughTocher2DInterpolator, RectBivariateSpline, SmoothBivariateSpline, make_smoothing_spline, make_lsq_spline, KroghInterpolator, CubicHermiteSpline, LSQUnivariateSpline, interpn, lagrange, pade, splprep, splint, sproot, BPoly, NdPPoly, RectSphereBivariateSpline, InterpolatedUnivariateSpline, approximate_taylor_polynomial
from scipy.cluster.hierarchy import linkage, fcluster, dendrogram, cophenet, leaves_list, to_tree, inconsistent, ClusterNode, cut_tree, fclusterdata, optimal_leaf_ordering, is_valid_linkage, set_link_color_palette
from scipy.cluster.vq import kmeans, kmeans2, vq, whiten
from scipy.spatial import KDTree, cKDTree, Delaunay, ConvexHull, Voronoi, distance, distance_matrix, procrustes, SphericalVoronoi, HalfspaceIntersection, voronoi_plot_2d, convex_hull_plot_2d, delaunay_plot_2d, geometric_slerp, minkowski_distance, QhullError
from scipy.spatial.transform import Rotation, Slerp, RotationSpline
from scipy.sparse import csr_matrix, coo_array, lil_matrix, diags, eye, hstack, vstack, kron, block_diag, random as sprandom, issparse, save_npz, load_npz, csgraph
from scipy.sparse.linalg import spsolve, eigsh, svds, cg, gmres, LinearOperator, splu, spilu, lsqr, lsmr, expm, factorized, bicgstab, aslinearoperator, norm as spnorm, onenormest, lobpcg, inv as spinv, eigs, minres

class Euler(OdeSolver):
    """explicit steps of one length"""

    def __init__(self, fun, t0, y0, t_bound, h=0.01, vectorized=False, **extraneous):
        super().__init__(fun, t0, y0, t_bound, vectorized)
        self.h = h

    def _step_impl(self):
        self.t_old_, self.y_old = (self.t, self.y)
        h = min(self.h, abs(self.t_bound - self.t)) * self.direction
        self.y = self.y + h * self.fun(self.t, self.y)
        self.t = self.t + h
        return (True, None)

    def _dense_output_impl(self):
        return Lin(self.t_old, self.t, self.y_old, self.y)

class Lin(DenseOutput):

    def __init__(self, t_old, t, y0, y1):
        super().__init__(t_old, t)
        self.y0, self.y1 = (y0, y1)

    def _call_impl(self, t):
        w = (np.asarray(t) - self.t_old) / (self.t - self.t_old)
        return self.y0[:, None] * (1 - w) + self.y1[:, None] * w if np.ndim(t) else self.y0 * (1 - w) + self.y1 * w

class Diff(LinearOperator):

    def __init__(self, n):
        super().__init__(dtype=float, shape=(n - 1, n))

    def _matvec(self, x):
        return np.diff(np.ravel(x))

    def _rmatvec(self, y):
        y = np.ravel(y)
        return np.r_[-y[:1], -np.diff(y), y[-1:]]

class Poly3(interpolate.UnivariateSpline):

    def area(self):
        return self.integral(0, 1)

def main():
    print(quad(lambda x: np.exp(-x ** 2), -np.inf, np.inf), quad(lambda x, a: a * x, 0, 1, args=(3,), full_output=True)[0], dblquad(lambda y, x: x * y, 0, 1, 0, lambda x: x), nquad(lambda x, y: x + y, [[0, 1], lambda: (0, 1)] if False else [[0, 1], [0, 1]])[0], fixed_quad(np.sin, 0, np.pi, n=5)[0].round(4), simpson([1, 2, 4], x=[0, 1, 2]), trapezoid([1, 2, 3]), cumulative_trapezoid([1, 2, 3], initial=0), quad_vec(lambda x: np.array([x, x * x]), 0, 1)[0], romb(np.arange(5.0)))

    def sir(t, y, b, g):
        S, I, R = y
        return [-b * S * I, b * S * I - g * I, g * I]

    def peak(t, y, b, g):
        return b * y[0] - g
    peak.terminal, peak.direction = (False, -1)
    for m in ('RK45', 'RK23', 'DOP853', 'Radau', 'BDF', 'LSODA', Euler):
        s = solve_ivp(sir, (0, 40), [0.99, 0.01, 0], method=m, args=(0.5, 0.1), t_eval=np.linspace(0, 40, 5), events=peak, dense_output=True)
        print(getattr(m, '__name__', m), s.y[1].round(2), len(s.t_events[0]), s.sol(3.0)[1].round(3), s.message)
    print(odeint(lambda y, t, k: -k * y, 1.0, [0, 1, 2], args=(0.5,)).ravel().round(3), odeint(lambda t, y: -y, 1.0, [0, 1], tfirst=True, full_output=True)[1]['message'])
    r = ode(lambda t, y: [-y[0]]).set_integrator('dopri5').set_initial_value([1.0], 0)
    r.set_solout(lambda t, y: None) if False else None
    print(r.integrate(1.0).round(3), r.successful())
    print(solve_bvp(lambda x, y: np.vstack((y[1], -np.exp(y[0]))), lambda a, b: np.array([a[0], b[0]]), np.linspace(0, 1, 5), np.zeros((2, 5))).sol(0.5)[0].round(3))
    x = np.linspace(0, 1, 9)
    y = np.sin(3 * x)
    xx = [0.1, 0.55]
    for c in (CubicSpline, PchipInterpolator, Akima1DInterpolator, UnivariateSpline, InterpolatedUnivariateSpline, BarycentricInterpolator, KroghInterpolator, make_interp_spline, Poly3, lambda a, b: interp1d(a, b, kind='quadratic', fill_value='extrapolate'), lambda a, b: make_smoothing_spline(a, b), lambda a, b: lagrange(a[:4], b[:4])):
        print(getattr(c, '__name__', '?'), np.round(c(x, y)(xx), 3))
    cs = CubicSpline(x, y, bc_type='clamped')
    print(cs(xx, 1).round(2), cs.integrate(0, 1).round(3), cs.roots()[:2].round(2), cs.derivative()(0.5).round(2), cs.c.shape)
    tck = splrep(x, y, s=0.01)
    g = np.random.default_rng(0).uniform(size=(30, 2))
    v = g.sum(1)
    print(griddata(g, v, [[0.5, 0.5]], method='cubic').round(2), RBFInterpolator(g, v, kernel='gaussian', epsilon=2)([[0.5, 0.5]]).round(2), RegularGridInterpolator((x, x), np.add.outer(x, x))([[0.5, 0.5]]), LinearNDInterpolator(g, v)(0.5, 0.5).round(2), RectBivariateSpline(x, x, np.outer(x, x))(0.5, 0.5).round(2), interpn((x,), y, [0.5]).round(3), CloughTocher2DInterpolator(g, v)(0.5, 0.5).round(2), pade([1, 1, 0.5, 1 / 6], 1)[0])
    A = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 2.0]])
    print(linalg.det(A).round(3), linalg.inv(A)[0].round(3), linalg.lu(A)[2].round(2), linalg.qr(A)[1].round(2)[0], linalg.svdvals(A).round(2), linalg.eigh(A)[0].round(2), linalg.cholesky(A)[0].round(2), linalg.expm(A * 0.1)[0].round(3), linalg.sqrtm(A)[0].round(2), linalg.solve_triangular(np.tril(A), [1, 2, 3], lower=True).round(2), linalg.null_space([[1, 1]]).round(2), linalg.toeplitz([1, 2, 3])[1], linalg.pinv(A).shape, linalg.funm(A, np.exp)[0].round(1), linalg.schur(A)[0].diagonal().round(2), linalg.block_diag([[1]], [[2]]), linalg.solve_sylvester(A, A, A).round(1)[0], linalg.lstsq(A, [1, 2, 3])[0].round(2), linalg.cho_solve(linalg.cho_factor(A), [1, 1, 1]).round(2), linalg.hadamard(2), linalg.solve_banded((1, 1), [[0, 1, 1], [4, 3, 2], [1, 1, 0]], [1, 2, 3]).round(2), linalg.orth(A).shape, linalg.interpolative.__name__, linalg.blas.ddot([1.0, 2], [3, 4.0]), linalg.lapack.dpotrf(A)[1])
    S = csr_matrix(A)
    print(S.nnz, (S @ S).toarray()[0], spsolve(S.tocsc(), [1, 2, 3]).round(3), eigsh(S, k=1)[0].round(2), svds(S, k=1)[1].round(2), cg(S, [1, 2, 3], callback=lambda xk: None)[0].round(2), gmres(S, [1, 2, 3], callback=lambda r: None, callback_type='pr_norm')[0].round(2), splu(S.tocsc()).solve(np.ones(3)).round(2), diags([1, 2], [0, 1], shape=(3, 3)).toarray()[0], S[S > 1].shape, sp.kron(S, eye(2)).shape, S.multiply(2).max(), S.getrow(0).indices if hasattr(S, 'getrow') else '', sprandom(4, 4, 0.3, random_state=1).nnz, hstack([S, S]).shape, coo_array(([1, 2], ([0, 1], [1, 0]))).todense(), spnorm(S).round(2), sp.find(S)[2], S.T.tolil()[0, 0], issparse(S))
    L = Diff(5)
    print(L @ np.arange(5) ** 2, L.T @ np.ones(4), lsqr(L, np.ones(4))[0].round(2), (L.T * L).matvec(np.ones(5)), aslinearoperator(S).matvec(np.ones(3)), LinearOperator((2, 2), matvec=lambda v: 2 * v).dot([1, 2]))
    G = csgraph.shortest_path(csr_matrix([[0, 1, 2], [0, 0, 1], [0, 0, 0]]), return_predecessors=True)
    print(G[0], csgraph.connected_components(S)[0], csgraph.minimum_spanning_tree(S).toarray()[0], csgraph.dijkstra(S, indices=0), csgraph.breadth_first_order(S, 0)[0], csgraph.maximum_flow(csr_matrix(np.array([[0, 3], [0, 0]], dtype=np.int32)), 0, 1).flow_value)
    b = io.BytesIO()
    save_npz(b, S)
    b.seek(0)
    print(load_npz(b).nnz)
    save_npz('s.npz', S)
    print(load_npz('s.npz').shape)
    print(special.gamma(5), special.erf(0.5).round(4), special.expit(0), special.logit(0.2).round(3), special.comb(5, 2, exact=True), special.jv(0, 1).round(4), special.betainc(1, 2, 0.3).round(3), special.zeta(2).round(4), special.softmax([1, 2]).round(3), special.logsumexp([1, 2]).round(3), special.legendre(2), special.roots_hermite(2)[0].round(3), special.factorial([3, 4]), special.digamma(1).round(3), special.xlogy(0, 0), special.ellipk(0.5).round(3), special.lambertw(1).real.round(3), special.stirling2(4, 2) if hasattr(special, 'stirling2') else '', special.sph_harm_y(0, 0, 0, 0).real.round(3) if hasattr(special, 'sph_harm_y') else '', special.binom(4, 2))
    Z = linkage(g, 'ward')
    print(fcluster(Z, 3, 'maxclust')[:5], dendrogram(Z, no_plot=True)['leaves'][:3], cophenet(Z).shape, to_tree(Z).count, leaves_list(Z)[:3], cut_tree(Z, 2)[:3].ravel(), to_tree(Z).pre_order(lambda n: n.id)[:3], dendrogram(Z, no_plot=True, truncate_mode='lastp', p=4, leaf_label_func=lambda i: f'n{i}', link_color_func=lambda k: 'k')['ivl'])
    print(kmeans(whiten(g), 2, seed=1)[0].round(1), kmeans2(g, 2, seed=1, minit='++')[1][:4])
    t = KDTree(g)
    R = Rotation.from_euler('z', 90, degrees=True)

    def lin(B, x):
        return B[0] * x + B[1]
    o = odr.ODR(odr.RealData(x, 2 * x + 1 + 0.01 * y, sx=0.1, sy=0.1), odr.Model(lin), beta0=[1.0, 0])
    out = o.run()
    print(out.beta.round(2), out.sd_beta.round(3), out.stopreason)
    out.pprint()
    print(odr.ODR(odr.Data(x, x), odr.unilinear).run().beta.round(2))
    buf = io.BytesIO()
    sio.savemat(buf, {'a': A, 's': 'text', 'st': {'f': 1.0}, 'cell': np.array([1, 'x'], dtype=object)})
    buf.seek(0)
    m = sio.loadmat(buf, squeeze_me=True, simplify_cells=True)
    print(m['a'][0], m['s'], m['st']['f'])
    sio.savemat('out.mat', {'x': x})
    print(sio.whosmat('out.mat'))
    sio.mmwrite('m.mtx', S)
    print(sio.mmread('m.mtx').nnz)
    from scipy.io import wavfile
    wavfile.write('a.wav', 8000, (y * 1000).astype(np.int16))
    print(wavfile.read('a.wav')[1][:3])
    from scipy.io import arff
    d, meta = arff.loadarff(io.StringIO('@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,y\n'))
    print(d['a'], meta.names())
    print(const.c, const.physical_constants['electron mass'][0], const.convert_temperature(20, 'C', 'K'), const.value('Planck constant'), const.find('Boltzmann')[0])
if __name__ == '__main__':
    main()
