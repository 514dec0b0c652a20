"""A Metropolis chain for a dose curve: traces, corner plot, HDI, posterior predictive."""
import matplotlib.pyplot as plt
import numpy as np
from itertools import product
from scipy import stats
from tqdm import tqdm

rng = np.random.default_rng(99)
dose = np.repeat([0.0, 1, 2, 4, 8], 8)
truth = np.array([-2.0, 0.6])
hit = rng.random(40) < 1 / (1 + np.exp(-(truth[0] + truth[1] * dose)))

def logp(theta):
    eta = theta[0] + theta[1] * dose
    return np.sum(hit * eta - np.logaddexp(0, eta)) + stats.norm(0, 5).logpdf(theta).sum()

chain, theta, lp = [], np.zeros(2), logp(np.zeros(2))
for _ in tqdm(range(1500), disable=True):
    prop = theta + rng.normal(0, (0.5, 0.2))
    new = logp(prop)
    if np.log(rng.random()) < new - lp:
        theta, lp = prop, new
    chain.append(theta)
chain = np.array(chain)[300:]
names = [r"$\alpha$", r"$\beta$"]

def hdi(x, mass=0.9):
    x = np.sort(x)
    k = int(mass * len(x))
    i = np.argmin(x[k:] - x[:-k])
    return x[i], x[i + k]

fig, axes = plt.subplots(3, 2, figsize=(7, 8))
for k, name in enumerate(names):
    axes[0, k].plot(chain[:, k], lw=0.3, rasterized=True)
    axes[0, k].set_ylabel(name)
for i, j in product(range(2), repeat=2):
    ax = axes[1 + i, j]
    if j > i:
        ax.remove()
    elif i == j:
        ax.hist(chain[:, i], 40, density=True, color="0.7")
        lo, hi = hdi(chain[:, i])
        ax.axvspan(lo, hi, color="C1", alpha=0.2)
        ax.axvline(truth[i], c="k", ls="--")
        ax.set_title(f"{lo:.2f} … {hi:.2f}", fontsize=8)
    else:
        H, xe, ye, img = ax.hist2d(chain[:, j], chain[:, i], bins=30, cmap="Blues", cmin=1)
        flat = np.sort(np.nan_to_num(H).ravel())[::-1]
        level = flat[np.searchsorted(flat.cumsum() / flat.sum(), [0.9, 0.5])]
        ax.contour(np.nan_to_num(H).T, levels=np.unique(level), extent=[xe[0], xe[-1], ye[0], ye[-1]], colors="k")
fig.savefig("corner.png")
grid = np.linspace(0, 10, 60)
curves = 1 / (1 + np.exp(-(chain[::20, :1] + chain[::20, 1:] * grid)))
plt.figure()
plt.plot(grid, curves.T, c="C0", alpha=0.05)
plt.plot(grid, curves.mean(axis=0), c="k")
plt.plot(dose + rng.normal(0, 0.08, 40), hit + rng.normal(0, 0.02, 40), "|r")
plt.savefig("predict.png")
print(chain.mean(axis=0).round(1), len(curves), [tuple(np.round(hdi(c), 1)) for c in chain.T])
