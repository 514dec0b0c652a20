"""Images in a grid, an inset, scale bars and a colour bar beside an axis."""
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.axes_grid1 import ImageGrid, host_subplot, make_axes_locatable
from mpl_toolkits.axes_grid1.anchored_artists import AnchoredSizeBar
from mpl_toolkits.axes_grid1.axes_divider import make_axes_area_auto_adjustable
from mpl_toolkits.axes_grid1.axes_rgb import make_rgb_axes
from mpl_toolkits.axes_grid1.inset_locator import inset_axes, mark_inset, zoomed_inset_axes

rng = np.random.default_rng(3)
fig = plt.figure(figsize=(6, 6))
grid = ImageGrid(fig, 111, nrows_ncols=(2, 2), axes_pad=0.1, cbar_mode="single")
for ax, image in zip(grid, rng.random((4, 6, 6))):
    shown = ax.imshow(image, vmin=0, vmax=1)
grid.cbar_axes[0].colorbar(shown)
print(len(list(grid)))
fig, ax = plt.subplots()
ax.imshow(rng.random((10, 10)), extent=(0, 10, 0, 10))
divider = make_axes_locatable(ax)
cax = divider.append_axes("right", size="5%", pad=0.05)
fig.colorbar(ax.images[0], cax=cax)
ax.add_artist(AnchoredSizeBar(ax.transData, 2, "2 mm", "lower left", pad=0.1))
zoomed = zoomed_inset_axes(ax, 3, loc="upper right")
zoomed.set_xlim(1, 2)
zoomed.set_ylim(1, 2)
mark_inset(ax, zoomed, loc1=2, loc2=4, fc="none", ec="0.5")
inset_axes(ax, width="20%", height="20%", loc="center")
fig.canvas.draw()
fig = plt.figure()
host = host_subplot(111)
twin = host.twinx()
host.plot([0, 1, 2], [0, 1, 2], label="Density")
twin.plot([0, 1, 2], [0, 3, 2], label="Temperature")
host.legend()
make_axes_area_auto_adjustable(host)
fig.canvas.draw()
fig, ax = plt.subplots()
red, green, blue = make_rgb_axes(ax, pad=0.02)
print([type(each).__name__ for each in (red, green, blue)], [text.get_text() for text in host.get_legend().get_texts()])
