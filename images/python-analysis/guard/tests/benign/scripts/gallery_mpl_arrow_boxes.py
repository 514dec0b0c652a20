"""Annotations of all kinds: arrowstyles, connection styles, custom box styles."""
import matplotlib.pyplot as plt
import inspect
import re
import itertools
import matplotlib.patches as mpatches
from matplotlib.patches import ArrowStyle, BoxStyle, ConnectionPatch, ConnectionStyle, FancyArrowPatch
from matplotlib.offsetbox import AnchoredText, AnnotationBbox, DrawingArea, HPacker, OffsetImage, TextArea, VPacker, AnchoredOffsetbox
from matplotlib.path import Path
import numpy as np

styles = ArrowStyle.get_styles()
print(sorted(styles)[:4], len(BoxStyle.get_styles()), sorted(ConnectionStyle.get_styles()))
for name, cls in sorted(mpatches.BoxStyle.get_styles().items())[:3]:
    print(name, inspect.signature(cls))


def custom_box_style(x0, y0, width, height, mutation_size):
    mypad = 0.3
    pad = mutation_size * mypad
    width = width + 2 * pad
    height = height + 2 * pad
    x0, y0 = x0 - pad, y0 - pad
    x1, y1 = x0 + width, y0 + height
    return Path([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0 - pad, (y0 + y1) / 2), (x0, y0), (x0, y0)], closed=True)


class MyStyle:
    def __init__(self, pad=0.3):
        self.pad = pad
        super().__init__()

    def __call__(self, x0, y0, width, height, mutation_size):
        return custom_box_style(x0, y0, width, height, mutation_size)


fig, (ax1, ax2) = plt.subplots(1, 2)
BoxStyle._style_list["angled"] = MyStyle
ax1.text(0.5, 0.5, "Test", size=30, va="center", ha="center", rotation=30, bbox=dict(boxstyle="angled,pad=0.5", alpha=0.2))
ax1.text(0.2, 0.2, "Fn", bbox=dict(boxstyle=custom_box_style))
con = ConnectionPatch(xyA=(0.3, 0.2), coordsA=ax1.transData, xyB=(0.3, 0.2), coordsB=ax2.transData, arrowstyle="->", shrinkB=5)
fig.add_artist(con)
ax2.annotate("local max", xy=(0.2, 0.9), xytext=(0.5, 0.5), arrowprops=dict(arrowstyle="wedge,tail_width=0.7", connectionstyle="arc3,rad=-0.3", fc="0.6", patchB=mpatches.Circle((0, 0), 0.1)))
ax2.add_patch(FancyArrowPatch((0, 0), (1, 1), arrowstyle="Simple, tail_width=2, head_width=8", connectionstyle="angle3"))
ax2.annotate("", (1, 0.3), (0, 0.3), xycoords=("axes fraction", "data"), arrowprops={"arrowstyle": "|-|"})
im = OffsetImage(np.arange(100).reshape(10, 10), zoom=2)
im.image.axes = ax2
ab = AnnotationBbox(im, (0.5, 0.7), xybox=(20., 30.), boxcoords="offset points", arrowprops=dict(arrowstyle="->"))
ax2.add_artist(ab)
da = DrawingArea(20, 20, 0, 0)
da.add_artist(mpatches.Circle((10, 10), 8))
box = HPacker(children=[TextArea("Test : "), VPacker(children=[da], pad=0)], align="center", pad=0, sep=5)
ax1.add_artist(AnchoredOffsetbox(loc="lower left", child=box, frameon=True, bbox_to_anchor=(0., 1.02), bbox_transform=ax1.transAxes, borderpad=0.))
ax1.add_artist(AnchoredText("(a)", loc="upper left", prop=dict(size=8)))
fig.canvas.draw()
print(ab.get_window_extent().width > 0)
