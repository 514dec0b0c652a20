"""ImageGrid of microscopy tiles with AxesGrid and divider, scale bars, per-channel contrast."""
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.axes_grid1 import ImageGrid, make_axes_locatable
from mpl_toolkits.axes_grid1.axes_rgb import RGBAxes
from mpl_toolkits.axes_grid1.anchored_artists import AnchoredDirectionArrows, AnchoredSizeBar
from scipy import ndimage

rng = np.random.default_rng(12)
stack = ndimage.gaussian_filter(rng.random((6, 64, 64)) ** 8, (0, 2, 2))
fig = plt.figure(figsize=(7, 5))
grid = ImageGrid(fig, 121, nrows_ncols=(3, 2), axes_pad=(0.05, 0.2), label_mode="L", share_all=True, cbar_mode="edge", cbar_location="right", cbar_pad=0.05, cbar_size="5%")
for k, (ax, plane) in enumerate(zip(grid, stack)):
    lo, hi = np.percentile(plane, (1, 99.5))
    im = ax.imshow(plane, vmin=lo, vmax=hi, cmap="gray" if k % 2 else "hot")
    ax.set_title(f"z={k}", fontsize=6, pad=2)
    if k % 2:
        ax.cax.colorbar(im)
    ax.add_artist(AnchoredSizeBar(ax.transData, 16, "5 µm", "lower right", color="w", frameon=False, size_vertical=1))
ax = fig.add_subplot(222)
proj = stack.max(axis=0)
im = ax.imshow(proj, interpolation="lanczos")
divider = make_axes_locatable(ax)
top = divider.append_axes("top", 0.5, pad=0.05, sharex=ax)
side = divider.append_axes("right", size="20%", pad=0.05, sharey=ax)
cax = divider.append_axes("bottom", "6%", pad=0.25)
fig.colorbar(im, cax=cax, orientation="horizontal")
top.plot(proj.mean(axis=0))
side.plot(proj.mean(axis=1), np.arange(64))
top.tick_params(labelbottom=False)
side.yaxis.set_tick_params(labelleft=False)
rgb = RGBAxes(fig, [0.6, 0.05, 0.35, 0.35], pad=0.0)
channels = [p / p.max() for p in stack[:3]]
rgb.imshow_rgb(*channels)
rgb.RGB.add_artist(AnchoredDirectionArrows(rgb.RGB.transAxes, "x", "y", loc="upper left", text_props={"ec": "w", "fc": "w"}))
fig.savefig("tiles.png")
labels, n = ndimage.label(proj > np.percentile(proj, 97))
print(grid.get_geometry(), n > 0, len(grid.cbar_axes), np.round(ndimage.center_of_mass(proj), 1))
