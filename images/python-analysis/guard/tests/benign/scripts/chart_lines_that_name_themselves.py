"""Heirs of artists, axes and figures: lines with an end label, axes that count, a figure that stamps its draft."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import offset_copy


class NamedLine(Line2D):
    """Writes its label beside its last finite point, in its own colour."""

    def __init__(self, *args, digits=0, **kwargs):
        self.tag = Text()
        self.digits = digits
        super().__init__(*args, **kwargs)

    @Line2D.axes.setter
    def axes(self, owner):
        self.tag.axes = owner
        Line2D.axes.fset(self, owner)

    def set_figure(self, fig):
        self.tag.set_figure(fig)
        super().set_figure(fig)

    def set_transform(self, t):
        super().set_transform(t)
        self.tag.set_transform(offset_copy(t, self.get_figure(), x=5, units="points"))

    def draw(self, renderer):
        points = self.get_xydata()
        points = points[np.isfinite(points).all(axis=1)]
        self.tag.set(position=points[-1], text=f"{self.get_label()} {points[-1][1]:.{self.digits}f}", color=self.get_color(), va="center")
        super().draw(renderer)
        self.tag.draw(renderer)

    def __len__(self):
        return len(self.get_xdata())


class CountingAxes(Axes):
    name = "counting"

    def __init__(self, *args, unit="", **kwargs):
        self.unit = unit
        super().__init__(*args, **kwargs)

    def follow(self, x, y, **kwargs):
        line = self.add_line(NamedLine(x, y, **kwargs))
        self.autoscale_view()
        return line

    @property
    def total(self):
        return sum(map(len, self.lines))

    def draw(self, renderer):
        self.set_title(f"{self.total} values in {self.unit}", loc="left")
        super().draw(renderer)


class DraftFigure(Figure):
    def __init__(self, *args, stamp="", **kwargs):
        super().__init__(*args, **kwargs)
        self.stamp, self.saved = stamp, []

    def savefig(self, fname, *, transparent=None, **kwargs):
        note = self.text(0.99, 0.01, self.stamp, ha="right", size=7)
        super().savefig(fname, transparent=transparent, **kwargs)
        note.remove()
        self.saved.append(str(fname))


fig = plt.figure(FigureClass=DraftFigure, stamp="draft 3, not for release", figsize=(5, 3))
ax = fig.add_subplot(axes_class=CountingAxes, unit="mmol/l")
hours = np.arange(0, 9)
fast = ax.follow(hours, 5 + 3 * np.exp(-hours / 2), label="fasting", color="teal", digits=1)
meal = ax.follow(hours, np.where(hours > 7, np.nan, 5 + hours * np.exp(-hours / 3)), label="meal", color="peru")
fig.canvas.draw()
print(fast.tag.get_text(), "|", meal.tag.get_text(), "|", ax.get_title(loc="left"))
fig.savefig("drafts.png", dpi=40)
print(fig.saved, len(fig.texts), isinstance(plt.gcf(), DraftFigure), fast.axes is ax is fast.tag.axes, len(meal))
clone = Line2D([], [])
clone.update_from(fast)
print(clone.get_color(), type(fast).__name__, sorted(set(vars(NamedLine)) & {"draw", "axes", "tag"}), fast.tag.get_color())
