# # Meta-analytic hierarchical model with a Gibbs sampler, conjugates, and posterior checks
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats, special
from collections import defaultdict
from itertools import product, accumulate
from functools import lru_cache, reduce
from typing import NamedTuple, Callable

class Prior(NamedTuple):
    mean: float = 0.
    sd: float = 2.
    def logpdf(self, x):
        return stats.norm.logpdf(x, *self)

class Gibbs:
    def __init__(self, y, s, seed=0):
        self.y, self.s, self.rng = np.asarray(y), np.asarray(s), np.random.default_rng(seed)
        self.trace = defaultdict(list)

    def step(self, th, mu, tau2):
        prec = 1 / self.s ** 2 + 1 / tau2
        th = self.rng.normal((self.y / self.s ** 2 + mu / tau2) / prec, prec ** -.5)
        mu = self.rng.normal(th.mean(), np.sqrt(tau2 / len(th)))
        tau2 = 1 / self.rng.gamma(1 + len(th) / 2, 1 / (.1 + .5 * np.sum((th - mu) ** 2)))
        return th, mu, tau2

    def run(self, n=2000, burn=500):
        state = self.y.copy(), self.y.mean(), self.y.var() + .1
        for i in range(n + burn):
            state = self.step(*state)
            if i >= burn:
                for k, v in zip(("theta", "mu", "tau2"), state):
                    self.trace[k].append(v)
        return {k: np.asarray(v) for k, v in self.trace.items()}

    def __repr__(self):
        return f"<{self.__class__.__name__} k={len(self.y)} draws={len(self.trace['mu'])}>"

y = [-.35, -.12, -.6, .05, -.28, -.41]
s = [.15, .2, .3, .18, .1, .25]
chains = [Gibbs(y, s, seed=k) for k in range(3)]
tr = [c.run(1200, 300) for c in chains]
print(chains[0])
mu = np.stack([t["mu"] for t in tr])

def rhat(x):
    m, n = x.shape
    B, W = n * x.mean(1).var(ddof=1), x.var(axis=1, ddof=1).mean()
    return np.sqrt(((n - 1) / n * W + B / n) / W)

def ess(x):
    x = x - x.mean()
    ac = np.correlate(x, x, "full")[len(x) - 1:] / (x @ x)
    cut = np.argmax(ac < .05)
    return len(x) / (1 + 2 * ac[1:cut].sum())

print(f"mu {mu.mean():.3f} [{np.quantile(mu, .025):.2f}, {np.quantile(mu, .975):.2f}] Rhat {rhat(mu):.3f} ESS {ess(mu[0]):.0f} P(<0) {(mu < 0).mean():.3f}")
th = np.concatenate([t["theta"] for t in tr])
print(pd.DataFrame({"y": y, "shrunk": th.mean(0), "sd": th.std(0)}, index=[f"trial {i}" for i in range(1, 7)]).round(2))

def metropolis(logp: Callable[[float], float], x0: float, n: int = 3000, step: float = .6, seed: int = 1):
    rng = np.random.default_rng(seed)
    x, lp, acc = x0, logp(x0), 0
    for _ in range(n):
        q = x + step * rng.normal()
        lq = logp(q)
        if np.log(rng.random()) < lq - lp:
            x, lp, acc = q, lq, acc + 1
        yield x
    print(f"accepted {acc / n:.2f}")

pr = Prior(sd=1)
post = np.fromiter(metropolis(lambda b: pr.logpdf(b) + stats.binom.logpmf(7, 20, special.expit(b)), 0.), float)
print(special.expit(post[500:].mean()).round(3), pr._replace(sd=3), Prior._fields, pr._asdict())
grid = np.linspace(0, 1, 201)
bf = stats.beta(2 + 7, 2 + 13)
print(bf.interval(.95), bf.mean().round(3), "BF", np.exp(special.betaln(9, 15) - special.betaln(2, 2) - (7 * np.log(.5) + 13 * np.log(.5))).round(2))
@lru_cache(maxsize=None)
def partitions(n, k):
    return 1 if k in (1, n) else 0 if k > n or k < 1 else k * partitions(n - 1, k) + partitions(n - 1, k - 1)
print(partitions(8, 3), partitions.cache_info().hits > 0, list(accumulate([.2, .3, .5])), reduce(np.multiply, [2, 3, 4]))
fig, ax = plt.subplots(1, 2, figsize=(9, 3))
ax[0].plot(mu.T, lw=.4); ax[1].hist(mu.ravel(), 40, density=True); ax[1].axvline(0, c="r")
