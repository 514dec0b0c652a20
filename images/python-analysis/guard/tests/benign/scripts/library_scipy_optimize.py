import logging
from functools import partial
import numpy as np
import scipy, scipy.optimize as so
from scipy import optimize
from scipy.optimize import minimize, minimize_scalar, root, root_scalar, brentq, newton, fsolve, curve_fit, least_squares, leastsq, nnls, lsq_linear, linprog, milp, LinearConstraint, NonlinearConstraint, Bounds, differential_evolution, dual_annealing, basinhopping, shgo, brute, direct, linear_sum_assignment, fixed_point, bisect, approx_fprime, check_grad, OptimizeResult, OptimizeWarning, rosen, rosen_der, rosen_hess, quadratic_assignment, HessianUpdateStrategy, BFGS, SR1, show_options, line_search, isotonic_regression, fmin, fmin_bfgs, fmin_l_bfgs_b, fmin_slsqp, fmin_cg, bracket, golden, ridder, toms748, anderson, broyden1, newton_krylov, KrylovJacobian, LbfgsInvHessProduct
log = logging.getLogger('opt')

class Trace:

    def __init__(self):
        self.xs = []

    def __call__(self, xk, *args):
        self.xs.append(np.array(xk, copy=True))

class Problem:
    """objective with a count of calls"""

    def __init__(self, a=1.0, b=100.0):
        self.a, self.b, self.calls = (a, b, 0)

    def __call__(self, x):
        self.calls += 1
        return (self.a - x[0]) ** 2 + self.b * (x[1] - x[0] ** 2) ** 2

    def grad(self, x):
        return np.array([-2 * (self.a - x[0]) - 4 * self.b * x[0] * (x[1] - x[0] ** 2), 2 * self.b * (x[1] - x[0] ** 2)])

    def hess(self, x):
        return np.array([[2 - 4 * self.b * (x[1] - 3 * x[0] ** 2), -4 * self.b * x[0]], [-4 * self.b * x[0], 2 * self.b]])

def halving(fun, x0, args=(), width=1.0, rounds=40, callback=None, **options):
    """one coordinate after the other, at half the width whenever neither side is lower"""
    at, low, calls = (np.array(x0, float), fun(x0, *args), 1)
    for turn in range(rounds):
        moved = False
        for unit in np.eye(at.size) * width:
            side = min((at + unit, at - unit), key=lambda z: fun(z, *args))
            calls += 2
            if fun(side, *args) < low:
                at, low, moved = (side, fun(side, *args), True)
        width = width if moved else width / 2
        if callback is not None:
            callback(at)
    return OptimizeResult(fun=low, x=at, nit=turn + 1, nfev=calls, success=True)

class Leap:
    stepsize = 0.4

    def __init__(self, rng):
        self.rng = rng

    def __call__(self, x):
        return x + self.rng.normal(0, self.stepsize, np.shape(x))

class Fence:

    def __init__(self, reach=1.6):
        self.reach = reach

    def __call__(self, **step):
        return bool(np.abs(step['x_new']).max() < self.reach and np.isfinite(step['f_new']))

def main():
    p, x0 = (Problem(), np.array([-1.2, 1.0]))
    for m in ('Nelder-Mead', 'Powell', 'CG', 'BFGS', 'L-BFGS-B', 'TNC', 'COBYLA', 'SLSQP', 'Newton-CG', 'trust-ncg', 'dogleg', 'trust-krylov', 'trust-exact', 'trust-constr'):
        tr = Trace()
        kw = {}
        if m in ('CG', 'BFGS', 'L-BFGS-B', 'TNC', 'SLSQP', 'Newton-CG', 'trust-ncg', 'dogleg', 'trust-krylov', 'trust-exact', 'trust-constr'):
            kw['jac'] = p.grad
        if m in ('Newton-CG', 'trust-ncg', 'dogleg', 'trust-krylov', 'trust-exact', 'trust-constr'):
            kw['hess'] = p.hess
        r = minimize(p, x0, method=m, callback=tr, options={'maxiter': 500}, **kw)
        print(f'{m:<14}', r.x.round(2), r.success, len(tr.xs) > 0, r.message[:30] if isinstance(r.message, str) else r.message)
    print(minimize(rosen, [1.3, 0.7], method=halving, options=dict(width=0.5)).x.round(1))
    print(minimize(p, x0, method='SLSQP', bounds=[(-2, 0.5), (-1, 2)], constraints=[{'type': 'ineq', 'fun': lambda x: 1 - x[0] ** 2 - x[1] ** 2, 'jac': lambda x: np.array([-2 * x[0], -2 * x[1]])}, {'type': 'eq', 'fun': lambda x: x[0] + x[1] - 0.8}]).x.round(3))
    nl = NonlinearConstraint(lambda x: [x[0] ** 2 + x[1]], -np.inf, 1, jac='2-point', hess=BFGS())
    print(minimize(rosen, x0, method='trust-constr', jac=rosen_der, hess=SR1(), constraints=[LinearConstraint([[1, 2]], -np.inf, 1), nl], bounds=Bounds([0, -0.5], [1, 2])).x.round(2))

    def cb(*, intermediate_result):
        seen.append(float(intermediate_result.fun))

    def stop(intermediate_result):
        if intermediate_result.fun < 1:
            raise StopIteration
    seen = []
    minimize(p, x0, method='BFGS', callback=cb)
    print(len(seen), minimize(p, x0, method='Nelder-Mead', callback=stop).status)
    print(minimize_scalar(lambda x: (x - 2) ** 2 * (x + 1), bounds=(0, 4), method='bounded').x.round(3), minimize_scalar(lambda x: (x - 2) ** 2, bracket=(0, 1)).nfev > 0)
    print(brentq(np.cos, 0, 3), newton(lambda x: x ** 3 - 1, 1.5), newton(lambda x: x ** 2 - 2, 1.0, fprime=lambda x: 2 * x, full_output=True)[1].converged, root_scalar(np.cos, bracket=[0, 2], method='toms748').root, bisect(np.cos, 0, 3), fixed_point(np.cos, 1.0).round(4))
    s = root(lambda x: [x[0] + 0.5 * (x[0] - x[1]) ** 3 - 1, 0.5 * (x[1] - x[0]) ** 3 + x[1]], [0, 0])
    print(s.x.round(4), s.message)
    for m in ('hybr', 'lm', 'broyden1', 'anderson', 'krylov', 'df-sane', 'linearmixing'):
        print(m, r.x.round(2), r.success)
    print(fsolve(lambda v, a: [v[0] * np.cos(v[1]) - a, v[0] * v[1] - v[1] - 5], [1, 1], args=(4,)).round(3))
    rng = np.random.default_rng(0)
    t = np.linspace(0, 4, 40)
    y = 2.5 * np.exp(-1.3 * t) + 0.5 + 0.05 * rng.normal(size=40)
    f = lambda t, a, b, c: a * np.exp(-b * t) + c
    po, pc, info, msg, ier = curve_fit(f, t, y, p0=[1, 1, 1], bounds=([0, 0, 0], np.inf), full_output=True)
    print(po.round(2), np.sqrt(np.diag(pc)).round(3), ier > 0)
    ls = least_squares(lambda q: f(t, *q) - y, [1, 1, 1], loss='soft_l1', f_scale=0.1, jac=lambda q: np.c_[np.exp(-q[1] * t), -q[0] * t * np.exp(-q[1] * t), np.ones_like(t)])
    print(ls.x.round(2), ls.optimality < 0.001, leastsq(lambda q: f(t, *q) - y, [1, 1, 1])[0].round(2))
    print(nnls(np.eye(2), [1, -1]), lsq_linear(np.eye(2), [1, 2], bounds=(0, 1)).x.round(2))
    lp = linprog([-1, 4], A_ub=[[-3, 1], [1, 2]], b_ub=[6, 4], bounds=[(None, None), (-3, None)], method='highs')
    print(lp.x, lp.fun, lp.ineqlin.marginals, lp.message)
    mi = milp([-1, -2], constraints=LinearConstraint([[1, 1], [3, 1]], ub=[4, 6]), integrality=[1, 1], bounds=Bounds(0, 3))
    print(mi.x, mi.fun)
    print(linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]]), isotonic_regression([1, 3, 2, 4]).x)
    de = differential_evolution(p, [(-2, 2), (-2, 2)], seed=1, maxiter=100, callback=lambda xk, convergence: False, polish=True, constraints=LinearConstraint([[1, 1]], -np.inf, 5))
    print(de.x.round(2))
    print(dual_annealing(p, [(-2, 2)] * 2, seed=2, maxiter=50, callback=lambda x, f, c: f < 1e-08).x.round(1), basinhopping(p, x0, niter=5, take_step=Leap(np.random.default_rng(1)), accept_test=Fence(), callback=lambda x, f, a: None, seed=1, minimizer_kwargs={'method': 'L-BFGS-B', 'jac': p.grad}).x.round(1), shgo(rosen, [(0, 2)] * 2).x.round(1), direct(rosen, [(0, 2)] * 2).x.round(1), brute(lambda z: (z[0] - 1) ** 2 + z[1] ** 2, (slice(-2, 2, 0.5), slice(-2, 2, 0.5)), finish=so.fmin, disp=False).round(2))
    print(check_grad(rosen, rosen_der, [1.1, 0.9]) < 1e-05, approx_fprime([1.0, 2.0], rosen, 1e-08).round(1))
    print(fmin(rosen, [1.2, 1.1], disp=0).round(2), fmin_bfgs(rosen, [1.2, 1.1], fprime=rosen_der, disp=0, retall=True)[0].round(2), fmin_l_bfgs_b(rosen, [1.2, 1.0], fprime=rosen_der)[0].round(2), fmin_slsqp(rosen, [1.2, 1.0], iprint=0).round(2))
    r = OptimizeResult(x=1, fun=2)
    r.extra = 5
    r['more'] = 6
    print(r, r.extra, sorted(r.keys()))
    show_options('minimize', 'bfgs', disp=True) if False else None
    print(partial(rosen)([1, 1]))
    print(quadratic_assignment(np.eye(3), np.ones((3, 3))).fun, line_search(rosen, rosen_der, np.array([1.2, 1.0]), np.array([-1.0, 0]))[0] is not None)

    class Robin(LinearConstraint):

        def describe(self):
            return f'{self.lb} <= Ax <= {self.ub}'
    print(Robin([[1, 1]], 0, 1).describe(), Bounds([0], [1]), LinearConstraint([[1, 1]], 0, 1).residual([0.2, 0.3]))
if __name__ == '__main__':
    main()
