import numpy as np
import matplotlib.pyplot as plt
from scipy.integrate import odeint, solve_ivp
from dataclasses import dataclass


@dataclass
class Params:
    beta: float = 0.6
    sigma: float = 1 / 4
    gamma: float = 1 / 7
    n: int = 50_000

    @property
    def r0(self) -> float:
        return self.beta / self.gamma


def seir(y, t, p: Params):
    s, e, i, r = y
    infection = p.beta * s * i / p.n
    return -infection, infection - p.sigma * e, p.sigma * e - p.gamma * i, p.gamma * i


def simulate(p: Params, days=160, lockdown=None):
    t = np.linspace(0, days, days + 1)
    y0 = (p.n - 10, 0, 10, 0)
    if lockdown is None:
        return t, odeint(seir, y0, t, args=(p,))

    def rhs(time, y):
        beta = p.beta * (0.35 if lockdown[0] <= time < lockdown[1] else 1)
        return seir(y, time, Params(beta, p.sigma, p.gamma, p.n))

    sol = solve_ivp(rhs, (0, days), y0, t_eval=t, max_step=1.0)
    return t, sol.y.T


params = Params()
fig, ax = plt.subplots(figsize=(8, 5))
for label, window in {"none": None, "days 20-60": (20, 60)}.items():
    t, y = simulate(params, lockdown=window)
    peak = y[:, 2].argmax()
    ax.plot(t, y[:, 2], label=f"I, lockdown {label}")
    ax.annotate("peak", (t[peak], y[peak, 2]), xytext=(5, 5), textcoords="offset points")
    print(f"{label:<12} peak day {peak}, attack rate {y[-1, 3] / params.n:.1%}, conserved {np.allclose(y.sum(axis=1), params.n)}")
ax.set(xlabel="day", ylabel="infectious", title=f"SEIR, $R_0$ = {params.r0:.1f}")
ax.legend(frameon=False)
ax.grid(alpha=0.3)
fig.savefig("seir.png", dpi=120)
print(params)
