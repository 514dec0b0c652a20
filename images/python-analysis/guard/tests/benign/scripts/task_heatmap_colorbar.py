import numpy as np
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm, LinearSegmentedColormap, TwoSlopeNorm
from mpl_toolkits.axes_grid1 import make_axes_locatable

rng = np.random.default_rng(9)
data = rng.lognormal(0, 1.5, (12, 12))
diff = rng.normal(0.5, 1, (12, 12))

cmap = LinearSegmentedColormap.from_list("traffic", ["green", "yellow", "red"])
fig, axs = plt.subplots(1, 3, figsize=(14, 4))
im0 = axs[0].imshow(data, norm=LogNorm(vmin=data.min(), vmax=data.max()), cmap=cmap)
divider = make_axes_locatable(axs[0])
cax = divider.append_axes("right", size="5%", pad=0.05)
fig.colorbar(im0, cax=cax)

im1 = axs[1].pcolormesh(diff, cmap="RdBu_r", norm=TwoSlopeNorm(vmin=-3, vcenter=0, vmax=3), edgecolors="w", linewidth=0.5)
cb = fig.colorbar(im1, ax=axs[1], extend="both")
cb.set_label("difference")

cs = axs[2].contourf(diff, levels=6, cmap="viridis")
axs[2].contour(diff, levels=[0], colors="white")
axs[2].clabel(axs[2].contour(diff, levels=[1], colors="k"), inline=True, fontsize=7)
fig.colorbar(cs, ax=axs[2])
fig.savefig("heatmaps.png", dpi=70)
print(cmap.name, [round(float(v), 2) for v in cmap(0.5)], cmap.N)
print("positive cells:", int((diff > 0).sum()), "of", diff.size)
