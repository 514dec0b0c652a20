import numpy as np
from scipy import integrate
from scipy.integrate import BDF, DOP853, LSODA, RK23, RK45, OdeSolver, DenseOutput, Radau, cumulative_trapezoid, dblquad, fixed_quad, nquad, ode, odeint, quad, quad_vec, romb, simpson, solve_bvp, solve_ivp, tplquad, trapezoid
from scipy.special import gamma, airy, jn_zeros, jv

class Euler(OdeSolver):

    def __init__(self, fun, t0, y0, t_bound, vectorized=False, step=0.01, **extraneous):
        super().__init__(fun, t0, y0, t_bound, vectorized, support_complex=True)
        self.h = step

    def _step_impl(self):
        h = min(self.h, abs(self.t_bound - self.t))
        self.y = self.y + h * self.fun(self.t, self.y)
        self.t = self.t + h
        return (True, None)

    def _dense_output_impl(self):
        return _Lin(self.t_old, self.t, self.y)

class _Lin(DenseOutput):

    def __init__(self, t_old, t, y):
        super().__init__(t_old, t)
        self.y = y

    def _call_impl(self, t):
        return np.tile(self.y[:, None], (1, np.size(t))) if np.ndim(t) else self.y
sol = solve_ivp(lambda t, y: -0.5 * y, [0, 2], [2.0], method=Euler)
print(np.round(sol.y[0, -1], 3), sol.message)

def hit_ground(t, y):
    return y[0]
hit_ground.terminal = True
hit_ground.direction = -1
sol = solve_ivp(lambda t, y: [y[1], -0.5], [0, 100], [0, 10], events=[hit_ground, lambda t, y: y[1]], dense_output=True)
print([np.round(e, 1).tolist() for e in sol.t_events], np.round(sol.sol(10), 1), sol.status)
for m in ('RK45', 'RK23', 'DOP853', 'Radau', 'BDF', 'LSODA'):
    print(m, np.round(solve_ivp(lambda t, z, a, b, c, d: [a * z[0] - b * z[0] * z[1], -c * z[1] + d * z[0] * z[1]], [0, 5], [10, 5], args=(1.5, 1, 3, 1), method=m, rtol=1e-06).y[:, -1], 1))
r = ode(lambda t, y, arg1: [1j * arg1 * y[0] + y[1], -arg1 * y[1] ** 2], lambda t, y, arg1: [[1j * arg1, 1], [0, -arg1 * 2 * y[1]]]).set_integrator('zvode', method='bdf')
r.set_initial_value([1j, 2.0], 0).set_f_params(2.0).set_jac_params(2.0)
while r.successful() and r.t < 3:
    r.integrate(r.t + 1)
print(r.t, np.round(r.y, 2))
solver = RK45(lambda t, y: -y, 0, [1.0], 1)
while solver.status == 'running':
    solver.step()
print(np.round(solver.y, 4), solver.nfev > 3)
print(np.round(quad(lambda x: jv(2.5, x), 0, 4.5)[0], 6), np.round(quad(lambda x: np.exp(-x ** 2), -np.inf, np.inf)[0], 6), dblquad(lambda x, y: x * y, 0, 0.5, lambda y: 0, lambda y: 1 - 2 * y)[0], np.round(nquad(lambda t, x, n: np.exp(-x * t) / t ** n, [[1, 50], [0, 50]], args=(3,))[0], 3))
res = solve_bvp(lambda x, y: np.vstack((y[1], -np.exp(y[0]))), lambda ya, yb: np.array([ya[0], yb[0]]), np.linspace(0, 1, 5), np.zeros((2, 5)))
print(np.round(res.sol(0.5), 4), res.success)
print(odeint(lambda y, t: [y[1], -0.25 * y[1] - 5.0 * np.sin(y[0])], [np.pi - 0.1, 0.0], np.linspace(0, 10, 101), full_output=True)[1]['message'], simpson([1, 4, 9], x=[1, 2, 3]), romb(np.arange(5.0)))
