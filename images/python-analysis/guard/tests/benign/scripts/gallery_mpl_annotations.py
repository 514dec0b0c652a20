import matplotlib.pyplot as plt
import numpy as np
from matplotlib.text import Annotation, OffsetFrom, Text
from matplotlib.patches import Ellipse, FancyBboxPatch

fig, ax = plt.subplots(figsize=(6, 6))
el = Ellipse((2, -1), 0.5, 0.5)
ax.add_patch(el)
an1 = ax.annotate("Test 1", xy=(0.5, 0.5), xycoords="data", va="center", ha="center", bbox=dict(boxstyle="round", fc="w"))
ax.annotate("Test 2", xy=(1, 0.5), xycoords=an1, xytext=(30, 0), textcoords="offset points", arrowprops=dict(arrowstyle="->"))
ax.annotate("$->$", xy=(2., -1), xytext=(-150, -140), textcoords="offset points", bbox=dict(boxstyle="round", fc="0.8"), arrowprops=dict(arrowstyle="->", patchB=el, connectionstyle="angle,angleA=90,angleB=0,rad=10"))
ax.annotate("polar", xy=(0, 1), xycoords=("axes fraction", "figure fraction"), xytext=(0, -20), textcoords=OffsetFrom(an1, (0.5, 0)), arrowprops={"width": 4, "headlength": 8, "shrink": 0.05}, annotation_clip=False)
for s in ["->", "-[", "|-|", "-|>", "<->", "<|-", "]-[", "]->"]:
    ax.annotate(s, xy=(0.1, 0.1), xytext=(0.4, 0.9), arrowprops=dict(arrowstyle=s, connectionstyle="arc3,rad=0.2", relpos=(0, 0.5), fc="r", mutation_scale=15), size=8)
for bs in ["circle", "darrow", "larrow", "rarrow", "round4", "roundtooth", "sawtooth", "square", "ellipse"]:
    ax.text(0.2, 0.2, bs, bbox=dict(boxstyle=f"{bs},pad=0.3", fc="w"), transform=ax.transAxes, rotation=20, rotation_mode="anchor")
ax.text(0.1, 0.9, "wrapped text " * 8, wrap=True, parse_math=False, linespacing=1.5, multialignment="right", family=["serif", "sans-serif"], fontvariant="small-caps", stretch="condensed")
fn = ax.annotate("callable", xy=(1, 1), xycoords=lambda r: ax.bbox, xytext=(0, 1), textcoords="axes fraction")
fig.canvas.draw()
print(an1.get_bbox_patch().get_width() > 0, isinstance(fn, Annotation), fn.xyann, an1.get_window_extent().height > 5, an1.anncoords, fig.texts, an1.arrow_patch)
t = Text(0.5, 0.5, "x", figure=fig); fig.add_artist(t)
t.update({"color": "r", "rotation": "vertical"}); print(t.get_rotation(), t.get_unitless_position(), t.get_fontproperties().get_size_in_points(), t.get_math_fontfamily())
