import numpy as np
import matplotlib.pyplot as plt
from scipy.stats import norm


def black_scholes(s, k, t, r, sigma, kind="call"):
    d1 = (np.log(s / k) + (r + sigma**2 / 2) * t) / (sigma * np.sqrt(t))
    d2 = d1 - sigma * np.sqrt(t)
    if kind == "call":
        return s * norm.cdf(d1) - k * np.exp(-r * t) * norm.cdf(d2)
    return k * np.exp(-r * t) * norm.cdf(-d2) - s * norm.cdf(-d1)


def gbm_paths(s0, mu, sigma, t, steps, n, rng):
    dt = t / steps
    shocks = rng.normal((mu - sigma**2 / 2) * dt, sigma * np.sqrt(dt), (n, steps))
    return s0 * np.exp(np.c_[np.zeros(n), shocks.cumsum(axis=1)])


def npv(rate, flows):
    return sum(f / (1 + rate) ** i for i, f in enumerate(flows))


def irr(flows, lo=-0.9, hi=1.0):
    for _ in range(100):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if npv(mid, flows) > 0 else (lo, mid)
    return mid


rng = np.random.default_rng(100)
paths = gbm_paths(100, 0.03, 0.2, 1.0, 50, 20_000, rng)
mc = np.exp(-0.03) * np.maximum(paths[:, -1] - 105, 0).mean()
print(f"Black-Scholes {black_scholes(100, 105, 1, 0.03, 0.2):.3f}, Monte Carlo {mc:.2f}")
parity = black_scholes(100, 105, 1, 0.03, 0.2) - black_scholes(100, 105, 1, 0.03, 0.2, "put")
print("put-call parity:", bool(np.isclose(parity, 100 - 105 * np.exp(-0.03))))
losses = 100 - paths[:, -1]
var95 = np.quantile(losses, 0.95)
print(f"VaR 95%: {var95:.1f}, ES: {losses[losses >= var95].mean():.1f}")
print(f"NPV {npv(0.1, [-100, 40, 50, 60]):.2f}, IRR {irr([-100, 40, 50, 60]):.2%}")
plt.plot(paths[:50].T, lw=0.5, alpha=0.5)
plt.fill_between(range(51), *np.quantile(paths, [0.05, 0.95], axis=0), alpha=0.2, color="k")
plt.savefig("gbm.png")
