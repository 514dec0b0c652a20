"""Soil moisture: irregular samples, contours, hatching, clabels, masked river."""
import matplotlib.pyplot as plt
import matplotlib.tri as mtri
import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap, TwoSlopeNorm
from scipy.interpolate import RBFInterpolator, griddata

rng = np.random.default_rng(55)
px, py = rng.uniform(0, 10, (2, 150))
moist = 20 + 6 * np.sin(px / 2) + 2 * py - 0.3 * py ** 2 + rng.normal(0, 0.6, 150)
gx, gy = np.mgrid[0:10:80j, 0:10:80j]
smooth = RBFInterpolator(np.c_[px, py], moist, smoothing=3)(np.c_[gx.ravel(), gy.ravel()]).reshape(gx.shape)
river = np.abs(gy - 5 - np.sin(gx)) < 0.25
masked = np.ma.masked_where(river, smooth)
levels = np.arange(12, 34, 3)
norm = BoundaryNorm(levels, ncolors=256, extend="both")
fig, (left, mid, right) = plt.subplots(1, 3, figsize=(11, 3.6), constrained_layout=True)
cs = left.contourf(gx, gy, masked, levels=levels, cmap="YlGnBu", norm=norm, extend="both")
lines = left.contour(gx, gy, masked, levels=levels[::2], colors="k", linewidths=0.5)
texts = left.clabel(lines, fmt="%.0f%%", fontsize=6, inline=True)
fig.colorbar(cs, ax=left, label="% vol", shrink=0.8)
tri = mtri.Triangulation(px, py)
tri.set_mask(mtri.TriAnalyzer(tri).get_flat_tri_mask(0.05))
mid.tricontourf(tri, moist, levels=8, hatches=["", "//", "..", "xx"], cmap="Greys", alpha=0.6)
mid.triplot(tri, lw=0.3, color="0.4")
mid.plot(px, py, "r+", ms=3)
diff = griddata((px, py), moist, (gx, gy), method="linear") - smooth
pm = right.pcolormesh(gx, gy, np.ma.masked_invalid(diff), cmap="RdBu", norm=TwoSlopeNorm(0, -2, 3), shading="auto", rasterized=True)
fig.colorbar(pm, ax=right, orientation="horizontal")
right.set_aspect("equal")
for ax, name in zip((left, mid, right), ("surface", "triangles", "difference")):
    ax.set_title(name)
    ax.set(xlim=(0, 10), ylim=(0, 10))
fig.savefig(OUTPUT / "soil.png")
print(len(texts) > 0, cs.levels.tolist(), int(river.sum()), masked.count(), tri.triangles.shape[1], right.get_aspect())
