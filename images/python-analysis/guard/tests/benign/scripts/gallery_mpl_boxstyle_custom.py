import matplotlib.pyplot as plt
from matplotlib.patches import BoxStyle, FancyBboxPatch, ArrowStyle, FancyArrowPatch, ConnectionStyle
from matplotlib.path import Path
import numpy as np

class Speech:
    def __init__(self, pad=0.3, tail=0.2):
        self.pad = pad
        self.tail = tail
        super().__init__()

    def __call__(self, x0, y0, width, height, mutation_size):
        pad = mutation_size * self.pad
        width, height = width + 2 * pad, height + 2 * pad
        x0, y0 = x0 - pad, y0 - pad
        x1, y1 = x0 + width, y0 + height
        return Path([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0 - pad * self.tail, (y0 + y1) / 2), (x0, y0), (x0, y0)], closed=True)

BoxStyle._style_list["speech"] = Speech
fig, ax = plt.subplots()
ax.text(0.5, 0.5, "Test", size=30, bbox=dict(boxstyle="speech,pad=0.5,tail=3", alpha=0.2))
del BoxStyle._style_list["speech"]

class MyArrow(ArrowStyle.Fancy):
    def transmute(self, path, mutation_size, linewidth):
        return super().transmute(path, mutation_size, linewidth)

class MyCurve(ConnectionStyle.Arc3):
    def connect(self, posA, posB):
        return Path([posA, (posA[0], posB[1]), posB], [Path.MOVETO, Path.CURVE3, Path.CURVE3])

a = FancyArrowPatch((0.1, 0.1), (0.9, 0.4), arrowstyle=MyArrow(head_length=0.4), connectionstyle=MyCurve(), mutation_scale=20)
ax.add_patch(a)
b = FancyBboxPatch((0.2, 0.2), 0.2, 0.1, boxstyle=BoxStyle("Round", pad=0.02), mutation_aspect=0.5)
b.set_boxstyle(Speech(0.1))
ax.add_patch(b)
b2 = FancyBboxPatch((0.5, 0.2), 0.2, 0.1, boxstyle="sawtooth,tooth_size=0.02"); ax.add_patch(b2)
fig.canvas.draw()
print(a.get_arrowstyle().head_length, type(a.get_connectionstyle()).__name__, type(b.get_boxstyle()).__name__, sorted(BoxStyle.get_styles())[:3])
print(BoxStyle.pprint_styles()[:40].strip().splitlines()[0], b2.get_bbox().bounds)
