"""Text of all kinds: math, wrapping, boxes, fonts, unicode, measured extents."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager as fm
from matplotlib import rcParams
from matplotlib.offsetbox import AnchoredOffsetbox, DrawingArea, HPacker, TextArea, VPacker
from matplotlib.patches import Circle
from matplotlib.text import Annotation, Text
from matplotlib.textpath import TextPath
from matplotlib.patches import PathPatch
from matplotlib.transforms import Affine2D

fig, ax = plt.subplots(figsize=(7, 5))
ax.text(0.02, 0.9, r"$\hat\beta = (X^\top X)^{-1} X^\top y,\quad \sum_{i=1}^{n}\frac{x_i}{\sqrt{\sigma^2}}$", fontsize=13, math_fontfamily="cm")
ax.text(0.02, 0.75, "müon µ ± σ → 5 °C, naïve café", family="serif", style="italic", weight="bold", color="teal")
long = ax.text(0.02, 0.5, "a long caption that should be wrapped at the edge of the figure " * 3, wrap=True, va="top", bbox=dict(boxstyle="round4,pad=0.4", fc="lemonchiffon", ec="0.5", ls=":"))
ax.text(0.8, 0.2, "turned\ntwo lines", rotation=35, rotation_mode="anchor", ha="center", linespacing=1.5, transform=ax.transAxes)
note = ax.annotate("peak", (0.5, 0.6), xytext=(30, 20), textcoords="offset points", bbox={"boxstyle": "sawtooth", "fc": "w"}, arrowprops={"arrowstyle": "fancy", "connectionstyle": "angle3,angleA=0,angleB=90", "fc": "0.6"})
drawing = DrawingArea(20, 12, 0, 0)
drawing.add_artist(Circle((8, 6), 5, fc="r"))
pack = VPacker(children=[HPacker(children=[drawing, TextArea("boiled", textprops={"size": 8})], align="center", pad=0, sep=4), TextArea("raw")], pad=2, sep=2)
ax.add_artist(AnchoredOffsetbox(loc="lower left", child=pack, frameon=True, bbox_to_anchor=(0.02, 0.02), bbox_transform=ax.transAxes))
outline = TextPath((0, 0), "Hz", size=0.2, prop=fm.FontProperties(family="DejaVu Sans", weight="bold"))
ax.add_patch(PathPatch(outline, transform=Affine2D().translate(0.7, 0.75) + ax.transData, fc="none", ec="purple"))
fig.text(0.99, 0.01, "draft", ha="right", color="0.7", fontsize="xx-large")
fig.canvas.draw()
renderer = fig.canvas.get_renderer()
box = note.get_window_extent(renderer)
inverse = ax.transData.inverted().transform(box.corners())
print(type(note) is Annotation, isinstance(long, Text), box.width > 0, inverse.shape, rcParams["font.family"], len(long.get_text()))
names = sorted({f.name for f in fm.fontManager.ttflist})
print("DejaVu Sans" in names, fm.findfont("DejaVu Sans Mono").endswith("DejaVuSansMono.ttf"), outline.vertices.shape[1])
fig.savefig("text.svg")
fig.savefig("text.pdf")
