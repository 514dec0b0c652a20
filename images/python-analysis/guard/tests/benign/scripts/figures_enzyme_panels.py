"""Enzyme kinetics: shared panels, insets, fitted curves with bands."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import ticker
from mpl_toolkits.axes_grid1.inset_locator import inset_axes, mark_inset
from scipy.optimize import curve_fit

plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
rng = np.random.default_rng(7)
conc = np.array([0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50])

def rate(s, vmax, km):
    return vmax * s / (km + s)

fig, axes = plt.subplots(2, 2, sharex=True, sharey="row", figsize=(6.4, 5))
for letter, ax, (v, k) in zip("abcd", axes.flat, [(12, 2), (9, 1), (4, 0.7), (5, 8)]):
    y = rate(conc, v, k) * rng.normal(1, 0.05, conc.size)
    popt, pcov = curve_fit(rate, conc, y, p0=(10, 1))
    err = np.sqrt(np.diag(pcov))
    grid = np.geomspace(0.1, 50, 120)
    draws = rng.multivariate_normal(popt, pcov, 200)
    band = np.percentile([rate(grid, *d) for d in draws], [2.5, 97.5], axis=0)
    ax.fill_between(grid, *band, color="C2", alpha=0.25, lw=0)
    ax.plot(grid, rate(grid, *popt), "C2")
    ax.errorbar(conc, y, yerr=0.05 * y, fmt="ks", ms=3, capsize=2)
    ax.set_xscale("log")
    ax.text(0.03, 0.95, letter, transform=ax.transAxes, weight="bold", va="top")
    ax.annotate(rf"$K_m={popt[1]:.1f}\pm{err[1]:.1f}$", xy=(popt[1], popt[0] / 2), xytext=(0.55, 0.15),
                textcoords="axes fraction", arrowprops=dict(arrowstyle="-|>", connectionstyle="arc3,rad=0.2"))
    print(letter, np.round(popt, 1))
inner = inset_axes(axes[0, 0], width="35%", height="30%", loc="center right")
inner.plot(1 / conc, 1 / rate(conc, 12, 2), ".-")
inner.set_title("1/v", fontsize=6)
inner.tick_params(labelsize=5)
for ax in axes[-1]:
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda v, pos: f"{v:g}"))
    ax.xaxis.set_minor_formatter(ticker.NullFormatter())
fig.supxlabel("substrate (mM)")
fig.supylabel("rate")
fig.align_ylabels(axes[:, 0])
fig.subplots_adjust(hspace=0.1, wspace=0.1)
plt.savefig(OUTPUT / "kinetics.pdf")
print(inner.get_title(), axes.shape, [ax.get_xscale() for ax in axes.ravel()])
