# # Compartments and integrals
import numpy as np
import matplotlib.pyplot as plt
from scipy.integrate import solve_ivp, odeint, quad, dblquad, nquad, simpson, trapezoid, cumulative_trapezoid, quad_vec, fixed_quad, romb, solve_bvp
from functools import partial
from dataclasses import dataclass

@dataclass
class Drug:
    ka: float
    cl: float
    v: float
    f: float = 1.0

    @property
    def ke(self):
        return self.cl / self.v

    def rhs(self, t, y):
        gut, blood = y
        return [-self.ka * gut, self.f * self.ka * gut - self.ke * blood]

drug = Drug(ka=1.1, cl=4, v=40)
hit = lambda t, y: y[1] / drug.v - 1.0
hit.direction = -1
hit.terminal = False
s = solve_ivp(drug.rhs, (0, 24), [100, 0], events=hit, dense_output=True, rtol=1e-8, max_step=.5)
print(s.status, s.t_events[0].round(3), s.sol(2.0).round(3), s.nfev > 10)
t = np.linspace(0, 24, 97)
conc = s.sol(t)[1] / drug.v
print("Cmax %.3f at %.2f h" % (conc.max(), t[conc.argmax()]))
print("AUC", trapezoid(conc, t).round(3), simpson(conc, x=t).round(3), cumulative_trapezoid(conc, t, initial=0)[-1].round(3), "exact", 100 / drug.cl)
for m in ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"):
    r = solve_ivp(drug.rhs, (0, 24), [100, 0], method=m, t_eval=[6, 12])
    print(f"{m:7s}", (r.y[1] / drug.v).round(3))

def multi(doses, tau):
    y, out = np.zeros(2), []
    for d in doses:
        y[0] += d
        r = solve_ivp(drug.rhs, (0, tau), y, t_eval=np.linspace(0, tau, 25))
        out.append(r.y[1] / drug.v)
        y = r.y[:, -1].copy()
    return np.concatenate(out)
print(multi([100] * 4, 8).round(2)[[0, 24, 49, 99]])

def seir(y, t, beta, sigma, gamma):
    S, E, I, R = y
    N = sum(y)
    return -beta * S * I / N, beta * S * I / N - sigma * E, sigma * E - gamma * I, gamma * I
days = np.arange(0, 160)
out, info = odeint(seir, [9990, 0, 10, 0], days, args=(.5, .2, .14), full_output=True)
print(out[:, 2].max().round(1), days[out[:, 2].argmax()], info["message"])
print(np.round(quad(np.sinc, -5, 5)[0], 5), np.round(quad(lambda x: np.exp(-x ** 2), -np.inf, np.inf)[0], 6), np.round(quad(lambda x, a: 1 / (x + a), 0, 1, args=(2,), weight="sin", wvar=3.)[0], 5))
val, err, inf = quad(lambda x: abs(x - .3), 0, 1, points=[.3], full_output=1)
print(round(val, 5), inf["neval"])
print(dblquad(lambda y, x: x * y ** 2, 0, 2, lambda x: 0, lambda x: x)[0], nquad(lambda x, y, z: x + y + z, [[0, 1]] * 3)[0], fixed_quad(np.exp, 0, 1, n=5)[0].round(8), romb(np.linspace(0, 1, 9) ** 2, dx=1 / 8))
print(quad_vec(lambda x: np.array([x, x ** 2]), 0, 1)[0])
b = solve_bvp(lambda x, y: np.vstack([y[1], -y[0]]), lambda ya, yb: np.array([ya[0], yb[0] - 1]), np.linspace(0, 1, 5), np.zeros((2, 5)))
print(b.sol(.5)[0].round(4), np.sin(.5) / np.sin(1))
fig, ax = plt.subplots(1, 2, figsize=(9, 3))
ax[0].plot(t, conc); ax[1].stackplot(days, out.T, labels=list("SEIR")); ax[1].legend()
