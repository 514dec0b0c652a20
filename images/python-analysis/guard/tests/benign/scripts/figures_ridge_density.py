"""Joy plot of wind speed by sector with clip paths and gradient fills."""
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from scipy.stats import gaussian_kde, weibull_min

rng = np.random.default_rng(3)
sectors = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
cmap = LinearSegmentedColormap.from_list("wind", ["#eef", "teal", (0.1, 0.0, 0.3)], N=64)
x = np.linspace(0, 22, 180)
fig = plt.figure(figsize=(5, 6))
gs = fig.add_gridspec(len(sectors), 1, hspace=-0.5)
for i, sector in enumerate(sectors):
    sample = weibull_min.rvs(2.1, scale=5 + i % 4, size=300, random_state=rng)
    density = gaussian_kde(sample, bw_method="silverman")(x)
    ax = fig.add_subplot(gs[i, 0])
    ax.patch.set_alpha(0)
    verts = np.column_stack([np.r_[x, x[::-1]], np.r_[density, np.zeros_like(x)]])
    patch = PathPatch(Path(verts), facecolor="none", edgecolor="k", lw=0.8)
    ax.add_patch(patch)
    image = ax.imshow(x[None, :], extent=(0, 22, 0, density.max()), aspect="auto", cmap=cmap, zorder=-i)
    image.set_clip_path(patch)
    ax.set(xlim=(0, 22), ylim=(0, 0.25), yticks=[])
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    if i < len(sectors) - 1:
        ax.set_xticks([])
        ax.spines["bottom"].set_color(to_rgba("k", 0.3))
    ax.text(-0.02, 0.05, sector, transform=ax.transAxes, ha="right")
    print(sector, round(float(np.median(sample)), 2))
sm = mpl.cm.ScalarMappable(norm=mpl.colors.Normalize(0, 22), cmap=cmap)
cax = fig.add_axes([0.92, 0.3, 0.02, 0.4])
bar = fig.colorbar(sm, cax=cax, ticks=[0, 10, 20], extend="max")
bar.ax.set_yticklabels(["calm", "10", "20 m/s"])
bar.outline.set_visible(False)
fig.savefig("ridge.png", facecolor="white")
print(cmap(0.5), cmap.N, bar.extend)
