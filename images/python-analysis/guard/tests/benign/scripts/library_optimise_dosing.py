# # Optimisation: dosing, staffing, calibration
import numpy as np
import pandas as pd
from scipy import optimize
from scipy.optimize import (minimize, least_squares, curve_fit, root, root_scalar, brentq, linprog, milp, LinearConstraint, NonlinearConstraint, Bounds,
                            differential_evolution, basinhopping, dual_annealing, shgo, minimize_scalar, nnls, lsq_linear, linear_sum_assignment, fsolve, OptimizeResult, approx_fprime, check_grad)

def emax(c, e0, em, ec50, h=1.):
    return e0 + em * c ** h / (ec50 ** h + c ** h)

rng = np.random.default_rng(23)
c = np.array([.1, .3, 1, 3, 10, 30, 100.])
y = emax(c, 2, 20, 5, 1.2) + rng.normal(0, .4, c.size)
p, cov = curve_fit(emax, c, y, p0=[1, 10, 3, 1], bounds=([0, 0, .01, .2], [10, 50, 100, 5]))
print(pd.DataFrame({"est": p, "se": np.sqrt(np.diag(cov))}, index=["e0", "emax", "ec50", "h"]).round(3))
ls = least_squares(lambda q: emax(c, *q) - y, [1, 10, 3, 1], loss="soft_l1", x_scale="jac")
print(ls.status, ls.cost.round(4), ls.x.round(2), ls.message[:20])

def neg(q):
    mu, ls_ = q
    return 0.5 * np.sum(((y - mu) / np.exp(ls_)) ** 2) + len(y) * ls_
def grad(q):
    mu, s = q[0], np.exp(q[1])
    return np.array([-np.sum(y - mu) / s ** 2, -np.sum((y - mu) ** 2) / s ** 2 + len(y)])
print("gradient ok", check_grad(neg, grad, [8., 1.5]) < 1e-4)
path = []
for meth in ("BFGS", "L-BFGS-B", "Nelder-Mead", "CG", "TNC", "trust-constr", "SLSQP", "Powell"):
    r = minimize(neg, [5, 1], jac=grad if meth not in ("Nelder-Mead", "Powell") else None, method=meth, callback=(lambda *a: path.append(a[0])) if meth == "BFGS" else None)
    print(f"{meth:14s} {r.fun:8.4f} {r.x.round(3)} {r.success}")
print(len(path) > 2)
cons = [{"type": "ineq", "fun": lambda q: 30 - q.sum()}, {"type": "eq", "fun": lambda q: q[0] - 2 * q[1]}]
r = minimize(lambda q: -np.sum(np.log1p(q)), [1, 1, 1], constraints=cons, bounds=[(0, 20)] * 3, method="SLSQP")
print(r.x.round(3), r.nit)
nl = NonlinearConstraint(lambda q: q[0] ** 2 + q[1], -np.inf, 4)
print(minimize(lambda q: (q[0] - 3) ** 2 + (q[1] - 1) ** 2, [0, 0], constraints=[nl, LinearConstraint([[1, 1]], ub=2.5)], method="trust-constr").x.round(2))
print(brentq(lambda t: 10 * np.exp(-.3 * t) - 2, 0, 20), root_scalar(lambda t: t ** 3 - 2, bracket=[0, 2], method="toms748").root, fsolve(lambda v: [v[0] + v[1] - 3, v[0] * v[1] - 2], [0.5, 3]).round(4), root(lambda v: np.cos(v) - v, .5).x.round(5))
lp = linprog([-3, -2], A_ub=[[1, 1], [1, 3]], b_ub=[4, 6], bounds=[(0, None)] * 2)
print(lp.x, lp.fun, lp.ineqlin.marginals)
print(milp([-5, -4, -3], constraints=LinearConstraint([[2, 3, 1], [4, 1, 2], [3, 4, 2]], ub=[5, 11, 8]), integrality=[1, 1, 1]).x)
cost = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
ri, ci = linear_sum_assignment(cost)
print(ci, cost[ri, ci].sum(), nnls([[1., 0], [1, 1]], [2., 1.])[0], lsq_linear(np.eye(2), [3, -1], bounds=(0, 2)).x)
bump = lambda v: (v[0] ** 2 - 4) ** 2 + v[1] ** 2 + .3 * np.sin(8 * v[0])
for nm, o in (("de", differential_evolution(bump, [(-4, 4)] * 2, seed=1)), ("da", dual_annealing(bump, [(-4, 4)] * 2, seed=1, maxiter=100)), ("bh", basinhopping(bump, [1, 1], niter=20, seed=1)), ("shgo", shgo(bump, [(-4, 4)] * 2))):
    print(nm, np.round(o.fun, 4))
print(minimize_scalar(lambda t: (t - 2) ** 2 + 1, bounds=(0, 5), method="bounded").x.round(4), approx_fprime([1., 2.], lambda v: v[0] ** 2 * v[1], 1e-8).round(3))
