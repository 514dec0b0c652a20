"""Microscope pictures side by side: grids of images, rulers of one's own, insets with frames, divided and shared axes."""
import io

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.offsetbox import AnchoredOffsetbox, AuxTransformBox, TextArea, VPacker
from mpl_toolkits.axes_grid1 import Divider, ImageGrid, Size, host_axes, make_axes_locatable
from mpl_toolkits.axes_grid1.anchored_artists import AnchoredDirectionArrows, AnchoredSizeBar
from mpl_toolkits.axes_grid1.axes_rgb import RGBAxes
from mpl_toolkits.axes_grid1.inset_locator import BboxConnector, TransformedBbox, inset_axes, mark_inset, zoomed_inset_axes


class Ruler(AnchoredOffsetbox):
    """A bar with ends for a length in the units of the picture."""

    def __init__(self, axes, length, text, loc="lower left"):
        bar = AuxTransformBox(axes.get_xaxis_transform())
        for start, end in (((0, 0), (length, 0)), ((0, -0.02), (0, 0.02)), ((length, -0.02), (length, 0.02))):
            bar.add_artist(Line2D(*zip(start, end), color="w"))
        self.caption = TextArea(text, textprops={"color": "w", "size": 7})
        super().__init__(loc, child=VPacker(children=[bar, self.caption], align="center", pad=0, sep=2), frameon=False, pad=0.3)


rng = np.random.default_rng(64)
cells = [np.clip(rng.normal(0.3 + 0.1 * k, 0.15, (24, 24)), 0, 1) for k in range(4)]
fig = plt.figure(figsize=(8, 8))
grid = ImageGrid(fig, (0.05, 0.5, 0.4, 0.45), nrows_ncols=(2, 2), axes_pad=(0.1, 0.25), share_all=True, label_mode="1", cbar_mode="edge", cbar_location="right", cbar_size="6%")
for axes, picture, name in zip(grid, cells, "ABCD"):
    image = axes.imshow(picture, cmap="gray", vmin=0, vmax=1)
    axes.set_title(name, loc="left", size=7)
    axes.add_artist(Ruler(axes, 8, "80 um"))
for bar in grid.cbar_axes:
    bar.colorbar(image)
main = fig.add_axes((0.55, 0.55, 0.38, 0.38))
main.imshow(cells[0], origin="lower")
split = make_axes_locatable(main)
above, beside = split.append_axes("top", 0.5, pad=0.05, sharex=main), split.append_axes("right", "15%", pad="2%", sharey=main)
above.plot(cells[0].mean(axis=0))
beside.plot(cells[0].mean(axis=1), range(24))
above.tick_params(labelbottom=False)
zoom = zoomed_inset_axes(main, 3, loc="upper right", borderpad=0.3)
zoom.imshow(cells[0], origin="lower")
zoom.set(xlim=(4, 8), ylim=(4, 8), xticks=[], yticks=[])
patch, first, second = mark_inset(main, zoom, loc1=1, loc2=3, fc="none", ec="w")
small = inset_axes(main, width="30%", height=0.4, loc="lower left", bbox_to_anchor=(0.05, 0.05, 1, 1), bbox_transform=main.transAxes)
main.add_artist(AnchoredSizeBar(main.transData, 6, "60 um", "lower right", size_vertical=0.4, color="w", frameon=False))
main.add_artist(AnchoredDirectionArrows(main.transAxes, "x", "y", length=0.1, loc="center"))
divided = Divider(fig, (0.05, 0.05, 0.4, 0.35), [Size.Scaled(1), Size.Fixed(0.2), Size.Scaled(2)], [Size.Fixed(1.0), Size.Scaled(1)], aspect=False)
parts = [fig.add_axes(divided.get_position(), axes_locator=divided.new_locator(nx=nx, ny=ny)) for nx, ny in ((0, 0), (2, 1))]
colours = RGBAxes(fig, [0.55, 0.05, 0.4, 0.35], pad=0.02)
colours.imshow_rgb(*cells[:3])
fig.canvas.draw()
print(len(grid), grid.ngrids, grid.get_axes_pad(), [axes.get_title(loc="left") for axes in grid], isinstance(first, BboxConnector), isinstance(patch.bbox, TransformedBbox))
print(parts[0].get_position().width < parts[1].get_position().width, split.get_horizontal_sizes(fig.canvas.get_renderer()).shape if hasattr(split, "get_horizontal_sizes") else "", colours.R.images[0].get_array().shape)
host = host_axes([0.1, 0.1, 0.6, 0.8], figure=plt.figure())
host.twinx().plot([3, 1])
host.figure.canvas.draw()
alone = Figure(figsize=(2, 1), dpi=50)
canvas = FigureCanvasAgg(alone)
alone.subplots().plot([1, 4, 2])
canvas.draw()
pixels = np.asarray(canvas.buffer_rgba())
raw = np.frombuffer(canvas.tostring_argb(), np.uint8).reshape(pixels.shape)
with io.BytesIO() as file:
    alone.savefig(file, format="png", metadata={"Software": None})
    again = plt.imread(io.BytesIO(file.getvalue()))
print(pixels.shape, (raw[..., 1:] == pixels[..., :3]).all(), again.shape, len(host.parasites), sorted(canvas.get_supported_filetypes())[:2])
