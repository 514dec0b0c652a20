"""Solve Kepler's equation and plot an orbit."""
import math
import sys

import numpy as np
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


class ConvergenceError(ArithmeticError):
    pass


def kepler(mean_anomaly: float, eccentricity: float, tol: float = 1e-12, max_iter: int = 50) -> float:
    e = mean_anomaly if eccentricity < 0.8 else math.pi
    for _ in range(max_iter):
        delta = (e - eccentricity * math.sin(e) - mean_anomaly) / (1 - eccentricity * math.cos(e))
        e -= delta
        if abs(delta) < tol:
            return e
    raise ConvergenceError(f"no convergence for M={mean_anomaly}, e={eccentricity}")


class Orbit:
    GM = 4 * math.pi ** 2

    def __init__(self, a, e, name="body"):
        if not 0 <= e < 1:
            raise ValueError("eccentricity must be in [0, 1)")
        self.a, self.e, self.name = a, e, name

    @property
    def period(self):
        return math.sqrt(self.a ** 3)

    def position(self, t):
        m = 2 * math.pi * (t / self.period % 1)
        ea = kepler(m, self.e)
        return self.a * (math.cos(ea) - self.e), self.a * math.sqrt(1 - self.e ** 2) * math.sin(ea)

    def __call__(self, ts):
        return np.array([self.position(t) for t in ts])

    def __repr__(self):
        return "{0.name}(a={0.a}, e={0.e}, P={0.period:.2f}y)".format(self)


orbits = [Orbit(1, 0.0167, "earthlike"), Orbit(2.5, 0.4, "asteroid"), Orbit(8, 0.85, "comet")]
fig, ax = plt.subplots(figsize=(6, 6))
for o in orbits:
    xy = o(np.linspace(0, o.period, 120))
    ax.plot(*xy.T, label=repr(o))
    r = np.hypot(*xy.T)
    print(o, f"perihelion {r.min():.3f} aphelion {r.max():.3f}", np.isclose(r.min(), o.a * (1 - o.e), rtol=1e-3))
ax.plot(0, 0, "o", color="gold", ms=12)
ax.set_aspect("equal")
ax.legend(loc="upper left", fontsize="small")
fig.savefig("orbits.svg")
try:
    Orbit(1, 1.2)
except ValueError as e:
    print(e, file=sys.stdout)
try:
    kepler(0.1, 0.99, max_iter=1)
except ConvergenceError as e:
    print(type(e).__bases__[0].__name__, e)
