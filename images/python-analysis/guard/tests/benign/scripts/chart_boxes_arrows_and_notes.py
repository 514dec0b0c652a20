"""A care pathway drawn by hand: ticket-shaped boxes, stepped connections, own arrow heads, notes of every kind."""
import inspect
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.offsetbox import AnchoredText, AnnotationBbox, DrawingArea, HPacker, OffsetImage, TextArea, VPacker
from matplotlib.patches import ArrowStyle, BoxStyle, Circle, ConnectionPatch, ConnectionStyle, FancyArrow, FancyArrowPatch, FancyBboxPatch, Wedge
from matplotlib.path import Path
from matplotlib.text import OffsetFrom


class Ticket:
    """A box with a notch in both short sides."""

    def __init__(self, pad=0.2, notch=0.3):
        self.pad, self.notch = pad, notch

    def __call__(self, x0, y0, width, height, mutation_size):
        pad = self.pad * mutation_size
        left, low, right, high = x0 - pad, y0 - pad, x0 + width + pad, y0 + height + pad
        middle, deep = (low + high) / 2, self.notch * (high - low) / 2
        corners = [(left, low), (right, low), (right - deep, middle), (right, high), (left, high), (left + deep, middle)]
        return Path([*corners, corners[0]], closed=True)


class Stairs(ConnectionStyle._Base if hasattr(ConnectionStyle, "_Base") else object):
    """Goes up in equal steps."""

    def __init__(self, steps=3):
        self.steps = steps

    def connect(self, posA, posB):
        xs, ys = (np.linspace(a, b, self.steps + 1) for a, b in zip(posA, posB))
        points = [(xs[0], ys[0])]
        for (_, y), (x, _) in pairwise(zip(xs, ys)):
            points += [(x, y)]
        points += [(xs[-1], ys[-1])]
        return Path(points)


class Heavy(ArrowStyle.Simple):
    def transmute(self, path, mutation_size, linewidth):
        return super().transmute(path, mutation_size * 1.5, linewidth)


fig, (ax, other) = plt.subplots(1, 2, figsize=(9, 4))
BoxStyle._style_list["ticket"] = Ticket
steps = {}
for place, (name, style) in enumerate({"referral": "ticket,notch=0.5", "triage": "round,pad=0.4", "ward": "roundtooth,pad=0.4", "home": Ticket(0.3)}.items()):
    steps[name] = ax.text(0.1 + 0.27 * place, 0.15 + 0.22 * place, name, bbox={"boxstyle": style, "fc": "lemonchiffon"}, transform=ax.transAxes)
fig.canvas.draw()
for (_, first), (_, then) in pairwise(steps.items()):
    ax.annotate("", xy=(0, 0.5), xycoords=then, xytext=(1, 0.5), textcoords=first, arrowprops={"arrowstyle": Heavy(head_width=0.6), "connectionstyle": "angle3"})
ax.annotate("2 h", xy=(0.5, 1), xycoords=steps["triage"], xytext=(0, 14), textcoords=OffsetFrom(steps["triage"], (0.5, 1), "points"), ha="center", annotation_clip=False)
stairs = ax.add_patch(FancyArrowPatch((0.1, 0.5), (0.8, 0.95), connectionstyle=Stairs(4), arrowstyle="-|>,head_length=5", mutation_scale=2, transform=ax.transAxes))
link = ConnectionPatch((0.9, 0.9), (0.1, 0.1), "axes fraction", "axes fraction", axesA=ax, axesB=other, arrowstyle="wedge,tail_width=0.4")
fig.add_artist(link)
dials = DrawingArea(40, 20)
dials.add_artist(Wedge((10, 10), 8, 20, 250, fc="c"))
dials.add_artist(Circle((30, 10), 6, fc="m"))
packed = VPacker(children=[TextArea("legend", textprops={"size": 8}), HPacker(children=[dials, OffsetImage(np.eye(5), zoom=3)], align="center", pad=0, sep=4)], pad=2, sep=3)
other.add_artist(AnnotationBbox(packed, (0.5, 0.6), xycoords="axes fraction", frameon=True, box_alignment=(0.5, 0)))
other.add_artist(AnchoredText("n = 212", loc="lower right", prop={"size": 7}, frameon=False))
other.add_patch(FancyArrow(0.2, 0.3, 0.5, 0.0, width=0.02, length_includes_head=True))
plate = other.add_patch(FancyBboxPatch((0.1, 0.05), 0.4, 0.1, boxstyle="Round4", mutation_aspect=0.05))
plate.set_boxstyle("square", pad=0.01)
fig.canvas.draw()
del BoxStyle._style_list["ticket"]
print([type(text.get_bbox_patch().get_boxstyle()).__name__ for text in steps.values()], "ticket" in BoxStyle.get_styles())
print(len(stairs.get_path().vertices) > 4, sorted(ConnectionStyle.get_styles())[:3], str(inspect.signature(BoxStyle.get_styles()["round"])))
print(plate.get_boxstyle().pad, link.get_annotation_clip(), len(ArrowStyle.get_styles()) > 10, steps["home"].get_window_extent().height > 0)
