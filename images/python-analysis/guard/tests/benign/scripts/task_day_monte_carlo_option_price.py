import time
from math import erf, exp, log, sqrt

import numpy as np


def norm_cdf(x):
    return 0.5 * (1 + erf(x / sqrt(2)))


def black_scholes_call(s, k, t, r, sigma):
    d1 = (log(s / k) + (r + sigma ** 2 / 2) * t) / (sigma * sqrt(t))
    d2 = d1 - sigma * sqrt(t)
    return s * norm_cdf(d1) - k * exp(-r * t) * norm_cdf(d2)


def monte_carlo_call(s, k, t, r, sigma, n=200_000, seed=0, antithetic=True):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal(n // 2 if antithetic else n)
    if antithetic:
        z = np.concatenate([z, -z])
    st = s * np.exp((r - 0.5 * sigma ** 2) * t + sigma * np.sqrt(t) * z)
    payoff = np.maximum(st - k, 0.0) * np.exp(-r * t)
    return payoff.mean(), payoff.std(ddof=1) / np.sqrt(n)


def asian_call(s, k, t, r, sigma, steps=52, n=20_000, seed=1):
    rng = np.random.default_rng(seed)
    dt = t / steps
    increments = (r - sigma ** 2 / 2) * dt + sigma * np.sqrt(dt) * rng.standard_normal((n, steps))
    paths = s * np.exp(np.cumsum(increments, axis=1))
    return float(np.exp(-r * t) * np.maximum(paths.mean(axis=1) - k, 0).mean())


if __name__ == "__main__":
    params = dict(s=95.0, k=100.0, t=0.75, r=0.03, sigma=0.22)
    exact = black_scholes_call(**params)
    t0 = time.perf_counter()
    price, err = monte_carlo_call(**params)
    took = time.perf_counter() - t0
    print(f"exact {exact:.4f}  mc {price:.3f} ± {err:.3f}  within 3 se: {abs(price - exact) < 3 * err}")
    print(f"asian {asian_call(**params):.2f} cheaper: {asian_call(**params) < exact}")
    assert took >= 0
    for sigma in np.arange(0.1, 0.5, 0.1):
        print(f"sigma={sigma:.1f}", round(black_scholes_call(**{**params, "sigma": float(sigma)}), 3))
