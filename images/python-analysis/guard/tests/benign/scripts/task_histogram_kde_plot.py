import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import gaussian_kde, norm

rng = np.random.default_rng(33)
data = np.concatenate([rng.normal(-2, 0.8, 300), rng.normal(2, 1.2, 500)])

plt.style.use("ggplot")
fig, axs = plt.subplots(1, 3, figsize=(13, 4))
n, bins, patches = axs[0].hist(data, bins="auto", density=True, color="steelblue", edgecolor="white")
grid = np.linspace(data.min(), data.max(), 300)
axs[0].plot(grid, gaussian_kde(data)(grid), lw=2, color="k", label="KDE")
axs[0].axvline(np.median(data), ls="--", label=f"median {np.median(data):.2f}")
axs[0].legend()
axs[1].hist(data, bins=40, cumulative=True, density=True, histtype="step")
axs[1].ecdf(data, ls=":")
parts = axs[2].violinplot([data[:300], data[300:]], showmeans=True, showextrema=False)
for body, color in zip(parts["bodies"], ("tab:orange", "tab:green")):
    body.set_facecolor(color)
    body.set_alpha(0.6)
axs[2].set_xticks([1, 2], ["first", "second"])
fig.savefig("distribution.png")
print("bars:", len(patches), "density integrates to %.3f" % (n * np.diff(bins)).sum())
with plt.style.context("dark_background"):
    plt.figure()
    plt.hexbin(data[:300], data[300:600], gridsize=15)
    plt.hist2d(data[:300], data[300:600], bins=10)
    plt.savefig("hexbin.png")
plt.rcdefaults()
print("styles include ggplot:", "ggplot" in plt.style.available, plt.rcParams["axes.grid"])
