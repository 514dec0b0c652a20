import numpy as np
from scipy.stats import norm
import matplotlib.pyplot as plt

rng = np.random.default_rng(2)
data = np.concatenate([rng.normal(0, 1, 300), rng.normal(5, 1.5, 200)])

weights, means, sds = np.array([0.5, 0.5]), np.array([-1.0, 3.0]), np.array([1.0, 1.0])
log_liks = []
for iteration in range(100):
    dens = weights * norm.pdf(data[:, None], means, sds)
    log_liks.append(np.log(dens.sum(axis=1)).sum())
    if iteration and log_liks[-1] - log_liks[-2] < 1e-6:
        break
    resp = dens / dens.sum(axis=1, keepdims=True)
    nk = resp.sum(axis=0)
    weights = nk / len(data)
    means = (resp * data[:, None]).sum(axis=0) / nk
    sds = np.sqrt((resp * (data[:, None] - means) ** 2).sum(axis=0) / nk)
print("weights", weights.round(2), "means", means.round(2), "sds", sds.round(2))
print("monotone:", bool((np.diff(log_liks) > -1e-8).all()), "BIC: %.1f" % (5 * np.log(len(data)) - 2 * log_liks[-1]))
labels = resp.argmax(axis=1)
print("accuracy %.2f" % max((labels[:300] == 0).mean() * 0.6 + (labels[300:] == 1).mean() * 0.4, 0))
grid = np.linspace(-4, 10, 200)
plt.hist(data, bins=40, density=True, alpha=0.4)
for w, m, s in zip(weights, means, sds):
    plt.plot(grid, w * norm.pdf(grid, m, s), "--")
plt.plot(grid, (weights * norm.pdf(grid[:, None], means, sds)).sum(axis=1), "k")
plt.savefig("mixture.png")
