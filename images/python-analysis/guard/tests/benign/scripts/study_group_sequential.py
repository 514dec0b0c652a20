"""O'Brien-Fleming and Pocock boundaries by simulation, and what they cost."""
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

LOOKS = np.array([0.25, 0.5, 0.75, 1.0])
rng = np.random.default_rng(1001)
increments = rng.normal(size=(40_000, len(LOOKS))) * np.sqrt(np.diff(np.r_[0, LOOKS]))
score = increments.cumsum(axis=1)
Z0 = score / np.sqrt(LOOKS)


def crossing_probability(bounds, z=Z0):
    return (np.abs(z) >= bounds).any(axis=1).mean()


def solve(shape, alpha=0.05):
    return brentq(lambda c: crossing_probability(c * shape) - alpha, 1.5, 4.5, xtol=1e-4)


designs = {"Pocock": np.ones(len(LOOKS)), "O'Brien-Fleming": 1 / np.sqrt(LOOKS), "fixed": np.array([9, 9, 9, 1.0])}
for name, shape in designs.items():
    c = solve(shape)
    bounds = c * shape
    drift = 3.24
    z1 = Z0 + drift * np.sqrt(LOOKS)
    hit = np.abs(z1) >= bounds
    power = hit.any(axis=1).mean()
    stop = np.where(hit.any(axis=1), hit.argmax(axis=1), len(LOOKS) - 1)
    asn = LOOKS[stop].mean()
    print(f"{name:<16} c={c:.2f} bounds={np.round(bounds, 2)} nominal p={np.round(2 * norm.sf(bounds), 4)} power={power:.2f} ASN={asn:.2f}")

naive = crossing_probability(np.full(len(LOOKS), norm.ppf(0.975)))
print(f"type I error without correction: {naive:.2f}")
