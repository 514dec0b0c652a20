import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.axes_grid1 import ImageGrid, make_axes_locatable, AxesGrid, host_subplot, Divider, Size, axes_size
from mpl_toolkits.axes_grid1.axes_divider import make_axes_area_auto_adjustable, SubplotDivider, AxesDivider
from mpl_toolkits.axes_grid1.inset_locator import inset_axes, mark_inset, zoomed_inset_axes
from mpl_toolkits.axes_grid1.parasite_axes import HostAxes, ParasiteAxes
from mpl_toolkits.axes_grid1.anchored_artists import AnchoredSizeBar
from matplotlib.offsetbox import AnchoredOffsetbox, AuxTransformBox, VPacker, TextArea, DrawingArea, DraggableAnnotation, AnchoredText
from matplotlib.lines import Line2D
import mpl_toolkits.axes_grid1.axes_rgb as rgbmod

class AnchoredHScaleBar(AnchoredOffsetbox):
    def __init__(self, size=1, extent=0.03, label="", loc=2, ax=None, pad=0.4, borderpad=0.5, ppad=0, sep=2, prop=None, frameon=True, linekw={}, **kwargs):
        if not ax:
            ax = plt.gca()
        trans = ax.get_xaxis_transform()
        size_bar = AuxTransformBox(trans)
        line = Line2D([0, size], [0, 0], **linekw)
        vline1 = Line2D([0, 0], [-extent / 2., extent / 2.], **linekw)
        size_bar.add_artist(line); size_bar.add_artist(vline1)
        txt = TextArea(label)
        self.vpac = VPacker(children=[size_bar, txt], align="center", pad=ppad, sep=sep)
        super().__init__(loc, pad=pad, borderpad=borderpad, child=self.vpac, prop=prop, frameon=frameon, **kwargs)

fig = plt.figure(figsize=(8, 6))
grid = ImageGrid(fig, 221, nrows_ncols=(2, 2), axes_pad=(0.1, 0.3), share_all=True, cbar_location="right", cbar_mode="each", cbar_pad="3%", cbar_size="7%", label_mode="keep")
for ax, cax in zip(grid, grid.cbar_axes):
    im = ax.imshow(np.arange(16).reshape(4, 4)); cax.colorbar(im); cax.tick_params(labelsize=5)
ax = fig.add_subplot(222); ax.add_artist(AnchoredHScaleBar(size=0.2, label="0.2 units", loc=4, frameon=False, pad=0.6, sep=4, linekw=dict(color="crimson")))
d = make_axes_locatable(ax); axx = d.append_axes("top", 0.5, pad=0.1, sharex=ax); axy = d.append_axes("right", size="20%", pad=axes_size.Fixed(0.1), sharey=ax); axx.tick_params(axis="x", labelbottom=False); d2 = d.new_horizontal("5%", pack_start=True); fig.add_axes(d2)
make_axes_area_auto_adjustable(ax, pad=0.1)
host = HostAxes(fig, [0.1, 0.1, 0.35, 0.35]); par1 = ParasiteAxes(host, sharex=host); host.parasites.append(par1); host.axis["right"].set_visible(False); par1.axis["right"].set_visible(True); par1.axis["right"].major_ticklabels.set_visible(True); par1.axis["right"].label.set_visible(True); fig.add_axes(host)
p1, = host.plot([0, 1, 2], label="Density"); p2, = par1.plot([0, 3, 2], label="T"); host.axis["left"].label.set_color(p1.get_color()); par1.set_ylabel("T"); host.legend()
ax4 = fig.add_subplot(224); ins = inset_axes(ax4, width="40%", height=0.8, loc="lower left", bbox_to_anchor=(0.1, 0.1, 1, 1), bbox_transform=ax4.transAxes, borderpad=0); zi = zoomed_inset_axes(ax4, 3, loc=1); zi.set(xlim=(0, .1), ylim=(0, .1)); pp, a, b = mark_inset(ax4, zi, 2, 4); b.loc1 = 3
fig.canvas.draw()
print(len(fig.axes), grid.get_geometry(), len(grid.axes_row), grid.axes_column[0][1].get_position().height > 0, type(d).__name__, ins.get_position().width > 0, [t.get_text() for t in host.get_legend().get_texts()], sorted(host.axis)[:3])
h = host_subplot(111, figure=plt.figure(), axes_class=HostAxes); tw = h.twinx(); tw.axis["right"].toggle(all=True); h.get_aux_axes().plot([1, 2]); print(type(tw).__name__, h.get_tightbbox is not None)
r, g, bb = rgbmod.make_rgb_axes(plt.figure().add_subplot(), pad=0.02)[:3]; sd = SubplotDivider(plt.gcf(), 2, 1, 2, horizontal=[axes_size.AxesX(r), axes_size.Fixed(0.1)], vertical=[axes_size.AxesY(r) + axes_size.Fraction(0.1, axes_size.Fixed(1)), axes_size.MaxExtent([r], "width")]); print(sd.get_horizontal()[1].get_size(None), sd.get_position_runtime is not None)
