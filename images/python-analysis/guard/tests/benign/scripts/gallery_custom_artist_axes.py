"""Subclasses of Axes, Line2D with text, Figure."""
import matplotlib.pyplot as plt
import numpy as np
import matplotlib.lines as lines
import matplotlib.text as mtext
import matplotlib.transforms as mtransforms
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.projections import register_projection


class MyLine(lines.Line2D):
    def __init__(self, *args, **kwargs):
        self.text = mtext.Text(0, 0, "")
        super().__init__(*args, **kwargs)
        self.text.set_text(self.get_label())

    def set_figure(self, figure):
        self.text.set_figure(figure)
        super().set_figure(figure)

    @lines.Line2D.axes.setter
    def axes(self, new_axes):
        self.text.axes = new_axes
        lines.Line2D.axes.fset(self, new_axes)

    def set_transform(self, transform):
        texttrans = transform + mtransforms.Affine2D().translate(2, 2)
        self.text.set_transform(texttrans)
        super().set_transform(transform)

    def set_data(self, x, y):
        if len(x):
            self.text.set_position((x[-1], y[-1]))
        super().set_data(x, y)

    def draw(self, renderer):
        super().draw(renderer)
        self.text.draw(renderer)


class WatermarkFigure(Figure):
    def __init__(self, *args, watermark=None, **kwargs):
        super().__init__(*args, **kwargs)
        if watermark is not None:
            self.text(0.5, 0.5, watermark, ha="center", va="center", fontsize=30, color="gray", alpha=0.3, rotation=25)


class StepAxes(Axes):
    name = "steps"

    def plot(self, *args, drawstyle="steps-mid", **kwargs):
        return super().plot(*args, drawstyle=drawstyle, **kwargs)


class Marker(Artist):
    def __init__(self, xy):
        super().__init__()
        self.xy = xy
        self.zorder = 5

    def draw(self, renderer):
        if not self.get_visible():
            return
        gc = renderer.new_gc()
        renderer.draw_text(gc, *self.axes.transData.transform(self.xy), "X", self.axes.xaxis.label.get_fontproperties(), 0)
        gc.restore()
        self.stale = False


register_projection(StepAxes)
fig = plt.figure(FigureClass=WatermarkFigure, watermark="draft")
ax = fig.add_subplot(projection="steps")
x, y = np.random.default_rng(1).random((2, 20))
line = MyLine(x, y, mfc="red", ms=12, label="line label")
line.text.set_color("red")
ax.add_line(line)
ax.plot(np.sort(x), y)
ax.add_artist(Marker((0.5, 0.5)))
fig.canvas.draw()
print(line.text.get_text(), ax.lines[-1].get_drawstyle(), type(fig).__name__, len(fig.texts))
