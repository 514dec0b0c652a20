"""Equations of motion in several ways: a solver of one's own, events, stiff kinetics, boundary values, integrals."""
import numpy as np
from scipy import optimize
from scipy.integrate import LSODA, DenseOutput, OdeSolver, cumulative_trapezoid, dblquad, nquad, ode, odeint, quad, quad_vec, simpson, solve_bvp, solve_ivp, tplquad, trapezoid
from scipy.optimize import OptimizeResult, minimize, minimize_scalar
from scipy.sparse.linalg import LinearOperator, cg


class Line(DenseOutput):
    def __init__(self, t_old, t, before, after):
        super().__init__(t_old, t)
        self.before, self.after = before, after

    def _call_impl(self, t):
        part = (np.asarray(t) - self.t_old) / (self.t - self.t_old)
        return self.before + part * (self.after - self.before) if np.ndim(t) == 0 else self.before[:, None] + part * (self.after - self.before)[:, None]


class Midpoint(OdeSolver):
    """The midpoint rule with a fixed step."""

    def __init__(self, fun, t0, y0, t_bound, vectorized=False, step=0.05, **extraneous):
        super().__init__(fun, t0, y0, t_bound, vectorized)
        self.width = step

    def _step_impl(self):
        step = self.direction * min(self.width, abs(self.t_bound - self.t))
        self.before = self.y
        half = self.y + step / 2 * self.fun(self.t, self.y)
        self.y = self.y + step * self.fun(self.t + step / 2, half)
        self.t = self.t + step
        return True, None

    def _dense_output_impl(self):
        return Line(self.t_old, self.t, self.before, self.y)


def infusion(t, y, rate=4.0, out=0.35, swap=0.2):
    """Two compartments, fed for five hours."""
    blood, tissue = y
    return [rate * (t < 5) - (out + swap) * blood + swap * tissue, swap * (blood - tissue)]


def too_high(t, y, *args):
    return y[0] - 6.0


too_high.direction = 1.0


def cleared(t, y, *args):
    return y[0] - 0.5


cleared.terminal, cleared.direction = True, -1
own = solve_ivp(infusion, (0, 20), [0.0, 0.0], method=Midpoint, step=0.1, dense_output=True)
print(own.status, own.message, np.round(own.sol(7.33), 2), len(own.t) > 100)
for method in ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"):
    end = solve_ivp(infusion, (0, 40), [0.0, 0.0], method=method, events=(too_high, cleared), max_step=0.5, args=(5.0,), rtol=1e-8, atol=1e-10)
    print(method, [np.round(each, 1).tolist() for each in end.t_events], end.status)
step = LSODA(lambda t, y: [-1e3 * (y[0] - np.cos(t))], 0.0, [0.0], 1.0)
while step.status == "running":
    step.step()
print(step.t, round(float(step.y[0]), 2), step.nfev > 0)
classic = ode(lambda t, y, k: [-k * y[0], k * y[0] - y[1]]).set_integrator("vode", method="adams").set_initial_value([1.0, 0.0], 0).set_f_params(2.0)
print([np.round(classic.integrate(t), 3).tolist() for t in (0.5, 1.0)], classic.successful())
print(odeint(lambda y, t: [y[1], -y[0]], [1, 0], np.linspace(0, np.pi, 5))[-1].round(3).tolist())
rod = solve_bvp(lambda x, y: np.vstack([y[1], 0.8 * (y[0] - 20)]), lambda a, b: np.array([a[0] - 90, b[1]]), np.linspace(0, 3, 8), np.zeros((2, 8)))
print(rod.success, round(float(rod.sol(3.0)[0]), 1), rod.x.shape == rod.y[0].shape)
print(round(quad(lambda t: t * np.exp(-0.4 * t), 0, np.inf)[0], 4), round(quad(np.cos, 0, 10, weight="sin", wvar=3)[0], 4), quad_vec(lambda x: np.array([x, x * x]), 0, 3)[0].round(6).tolist())
print(round(dblquad(lambda y, x: x + y, 0, 2, 0, lambda x: x)[0], 4), round(tplquad(lambda z, y, x: z, 0, 1, 0, 1, 0, 2)[0], 4), round(nquad(lambda a, b: a * b * b, [[0, 1], [1, 2]])[0], 4))
curve = own.y[0]
print(abs(trapezoid(curve, own.t) - cumulative_trapezoid(curve, own.t)[-1]) < 1e-9, round(simpson(curve, x=own.t), 1))


def ring_search(fun, x0, args=(), rings=25, shrink=0.8, callback=None, **unused):
    """Try eight points around the best one; shrink the ring when none is better."""
    best, value, reach, calls = np.asarray(x0, float), fun(x0, *args), 1.0, 1
    around = np.exp(1j * np.arange(8) * np.pi / 4)
    for turn in range(rings):
        tried = [(fun(best + reach * np.array([z.real, z.imag]), *args), z) for z in around]
        calls += len(tried)
        low, z = min(tried, key=lambda pair: pair[0])
        if low < value:
            value, best = low, best + reach * np.array([z.real, z.imag])
        else:
            reach *= shrink
        if callback is not None:
            callback(best)
    return OptimizeResult(x=best, fun=value, nit=turn + 1, nfev=calls, success=True, message="rings done")


seen = []
found = minimize(lambda p, a: (p[0] - a) ** 2 + 2 * (p[1] + 1) ** 2, [3.0, 3.0], args=(0.5,), method=ring_search, options={"rings": 60}, callback=seen.append)
print(np.round(found.x, 2), found.message, len(seen), found.nfev)
bent = LinearOperator((6, 6), matvec=lambda v: 3 * v - np.roll(v, 1) - np.roll(v, -1), dtype=float)
answer, info = cg(bent, np.arange(6.0))
print(info, np.allclose(bent @ answer, np.arange(6.0), atol=1e-4), minimize_scalar(lambda h: (h - 2) ** 4, bounds=(0, 9), method="bounded").success)
print(optimize.check_grad(lambda p: p[0] ** 2 + p[1], lambda p: np.array([2 * p[0], 1.0]), [1.0, 2.0]) < 1e-5)
