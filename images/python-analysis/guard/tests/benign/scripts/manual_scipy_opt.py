import numpy as np
from scipy import optimize
from scipy.optimize import (Bounds, BFGS, LinearConstraint, NonlinearConstraint, OptimizeResult, SR1, HessianUpdateStrategy, approx_fprime, basinhopping,
                            brentq, brute, check_grad, curve_fit, differential_evolution, dual_annealing, fsolve, least_squares, linear_sum_assignment,
                            linprog, milp, minimize, minimize_scalar, newton, root, root_scalar, rosen, rosen_der, rosen_hess, rosen_hess_prod, shgo, direct)
from scipy.sparse.linalg import LinearOperator, gmres, spsolve, eigsh, cg
from scipy.sparse import diags, csr_array, spdiags, kron, eye, block_diag, lil_matrix, coo_array


def custmin(fun, x0, args=(), maxfev=None, stepsize=0.1, maxiter=100, callback=None, **options):
    bestx, besty, funcalls, niter, improved, stop = x0, fun(x0), 1, 0, True, False
    while improved and not stop and niter < maxiter:
        improved = False
        niter += 1
        for dim in range(np.size(x0)):
            for s in [bestx[dim] - stepsize, bestx[dim] + stepsize]:
                testx = np.copy(bestx)
                testx[dim] = s
                testy = fun(testx, *args)
                funcalls += 1
                if testy < besty:
                    besty, bestx, improved = testy, testx, True
        if callback is not None:
            callback(bestx)
    return OptimizeResult(fun=besty, x=bestx, nit=niter, nfev=funcalls, success=(niter > 1))


x0 = np.array([1.3, 0.7, 0.8])
print(minimize(rosen, x0, method=custmin, options=dict(stepsize=0.05)).x.round(2))
for method in ("nelder-mead", "BFGS", "Newton-CG", "trust-ncg", "trust-krylov", "trust-exact", "L-BFGS-B", "SLSQP", "COBYLA", "TNC", "Powell", "CG"):
    kw = dict(jac=rosen_der) if method not in ("nelder-mead", "COBYLA", "Powell") else {}
    if method.startswith(("trust", "Newton")):
        kw["hess"] = rosen_hess
    print(method, minimize(rosen, x0, method=method, **kw).x.round(1))
con = NonlinearConstraint(lambda x: [x[0] ** 2 + x[1], x[0] ** 2 - x[1]], -np.inf, 1, jac=lambda x: [[2 * x[0], 1], [2 * x[0], -1]], hess=BFGS())
res = minimize(rosen, [.5, 0], method="trust-constr", jac="2-point", hess=SR1(), constraints=[LinearConstraint([[1, 2], [2, 1]], [-np.inf, 1], [1, 1]), con], bounds=Bounds([0, -0.5], [1.0, 2.0]))
print(res.x.round(2), res.status in (1, 2))


def rosen_hess_linop(x):
    return LinearOperator((len(x), len(x)), matvec=lambda p: rosen_hess_prod(x, p))


print(minimize(rosen, x0, method="Newton-CG", jac=rosen_der, hess=rosen_hess_linop).x.round(1))


class MyTakeStep:
    def __init__(self, stepsize=0.5):
        self.stepsize = stepsize
        self.rng = np.random.default_rng(2)

    def __call__(self, x):
        x[0] += self.rng.uniform(-2. * self.stepsize, 2. * self.stepsize)
        return x


print(basinhopping(lambda x: np.cos(14.5 * x[0] - 0.3) + (x[0] + 0.2) * x[0], [1.0], niter=20, take_step=MyTakeStep(), seed=1).x.round(2))
print(differential_evolution(lambda x: np.sum(x ** 2), [(-3, 3)] * 2, seed=1, callback=lambda x, convergence: False).fun < 1e-6, brute(lambda z: (z[0] - 1) ** 2, (slice(-2, 2, 0.25),)), dual_annealing(lambda x: x[0] ** 2, [(-2, 2)], seed=1, maxiter=20).x.round(2))
print(linprog([-1, 4], A_ub=[[-3, 1], [1, 2]], b_ub=[6, 4], bounds=[(None, None), (-3, None)]).fun, milp([1, 1], integrality=[1, 1], constraints=LinearConstraint([[1, 2]], 3.5)).x, linear_sum_assignment([[4, 1, 3], [2, 0, 5]]))
print(root(lambda x: [x[0] * np.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5], [1, 1], method="krylov").x.round(2), root_scalar(lambda x: x ** 3 - 1, x0=2, fprime=lambda x: 3 * x ** 2, method="newton").root, brentq(np.cos, 0, 2))
print(least_squares(lambda p, t, y: p[0] * np.exp(-p[1] * t) - y, [1, 1], args=(np.arange(5), np.exp(-np.arange(5.0))), loss="soft_l1", f_scale=0.1).x.round(3), curve_fit(lambda x, a, b: a * x + b, [1, 2, 3], [2, 4, 6.1])[0].round(2))
A = diags([1, -2, 1], [-1, 0, 1], shape=(20, 20), format="csc")
print(spsolve(A, np.ones(20)).round(1)[:2], eigsh(-A, k=2, which="SM" if False else "LM")[0].round(2), cg(-A, np.ones(20))[1])
