"""A page with a mosaic layout and subfigures, shared legend, letters, xkcd-free style sheet."""
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler

plt.style.use(["seaborn-v0_8-whitegrid", {"axes.prop_cycle": cycler(color=["#005f73", "#ee9b00", "#9b2226"]) + cycler(ls=["-", "--", ":"]), "figure.dpi": 80}])
rng = np.random.default_rng(64)
fig = plt.figure(layout="constrained", figsize=(9, 6))
upper, lower = fig.subfigures(2, 1, height_ratios=[2, 1], hspace=0.05)
upper.set_facecolor("0.97")
axd = upper.subplot_mosaic([["trend", "trend", "box"], ["trend", "trend", "bars"]], width_ratios=[1, 1, 0.8], per_subplot_kw={"bars": {"xlim": (0, 1)}})
t = np.arange(60)
for name, slope in zip(("site x", "site y", "site z"), (0.1, 0.05, -0.02)):
    axd["trend"].plot(t, slope * t + rng.normal(0, 0.5, 60), label=name)
axd["trend"].legend(loc="upper left", framealpha=1, edgecolor="none")
parts = axd["box"].violinplot([rng.normal(m, 1, 80) for m in (0, 1, 2)], showextrema=False, showmedians=True, quantiles=[[0.25, 0.75]] * 3)
for body, colour in zip(parts["bodies"], ("#005f73", "#ee9b00", "#9b2226")):
    body.set(facecolor=colour, edgecolor="k", alpha=0.5)
share = rng.dirichlet([3, 2, 1], 4)
left = np.zeros(4)
for k in range(3):
    b = axd["bars"].barh(range(4), share[:, k], left=left)
    axd["bars"].bar_label(b, fmt=lambda v: f"{v:.0%}" if v > 0.2 else "", label_type="center", fontsize=6)
    left += share[:, k]
axs = lower.subplots(1, 3, sharey=True)
for ax, (name, sample) in zip(axs, {"gamma": rng.gamma(2, 1, 200), "normal": rng.normal(3, 1, 200), "uniform": rng.uniform(0, 6, 200)}.items()):
    n, edges, patches = ax.hist(sample, bins="fd", density=True, histtype="stepfilled", alpha=0.6)
    ax.ecdf(sample, color="k", lw=0.8)
    ax.set_title(name, fontsize=8, y=0.98)
    ax.label_outer()
lower.suptitle("residuals", x=0.01, ha="left", fontsize=9)
for letter, ax in zip("ABC", axd.values()):
    ax.set_title(letter, loc="left", fontweight="bold")
fig.savefig(OUTPUT / "story.png")
print(sorted(axd), share.sum(axis=1).round(6), [len(a.lines) for a in axs], axd["trend"].lines[1].get_linestyle())
