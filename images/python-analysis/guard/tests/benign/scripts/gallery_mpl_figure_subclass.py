import numpy as np
import matplotlib.pyplot as plt
from matplotlib.figure import Figure, figaspect
from matplotlib.axes import Axes, Subplot
from matplotlib.gridspec import SubplotParams

class WatermarkFigure(Figure):
    def __init__(self, *args, watermark=None, **kwargs):
        super().__init__(*args, **kwargs)
        if watermark is not None:
            bbox = dict(boxstyle="square", lw=3, ec="gray", fc=(0.9, 0.9, .9, .5), alpha=0.5)
            self.text(0.5, 0.5, watermark, ha="center", va="center", rotation=30, fontsize=40, color="gray", alpha=0.5, bbox=bbox)
        self._count = 0
    def add_axes_counted(self, *a, **k):
        self._count += 1
        return self.add_subplot(*a, **k)
    def savefig(self, *a, **k):
        print("saving"); super().savefig(*a, **k)

class MyAxes(Axes):
    name = "myaxes"
    def plot(self, *a, **k):
        k.setdefault("color", "k"); return super().plot(*a, **k)
    def format_coord(self, x, y): return f"<{x:.1f},{y:.1f}>"
    @property
    def n_lines(self): return len(self.lines)
    def draw(self, renderer):
        self.set_title(f"{self.n_lines} lines"); super().draw(renderer)

x = np.linspace(-3, 3, 20)
fig = plt.figure(FigureClass=WatermarkFigure, watermark="draft", figsize=figaspect(0.5))
ax = fig.add_axes_counted(111, axes_class=MyAxes)
ax.plot(x, x**2); fig.savefig("wm.png"); fig.canvas.draw()
print(fig._count, ax.get_title(), ax.format_coord(1, 2), fig.get_size_inches(), fig.texts[0].get_text(), isinstance(plt.gcf(), WatermarkFigure), ax.lines[0].get_color())
f2 = Figure(subplotpars=SubplotParams(left=0.3), frameon=False, linewidth=3, edgecolor="r", facecolor="b"); f2.add_axes(MyAxes(f2, [0.1, 0.1, 0.5, 0.5], xlim=(0, 3), title="t")); f2.canvas.draw(); print(f2.subplotpars.left, f2.axes[0].get_xlim(), f2.get_frameon(), f2.patch.get_linewidth(), f2.canvas.manager, f2.number if hasattr(f2, "number") else "none")
fig.clf(); fig.suptitle("a").set_fontsize(9); fig.set(figwidth=3, dpi=50); fig.set_size_inches(2, 2, forward=True); fig.set_figheight(4); fig.add_artist(plt.Line2D([0, 1], [0, 1])); fig.lines.extend([]) ; print(fig.axes, fig.get_dpi(), fig.bbox.bounds, fig.get_label(), fig.get_children()[0] is fig.patch, fig.get_suptitle(), fig.sca if False else "", len(fig.lines), fig.images, fig.legends)
ax = fig.gca(); fig.sca(ax); fig.delaxes(ax); fig.waitforbuttonpress if False else 0; fig.show() if False else 0; print(plt.fignum_exists(fig.number), plt.get_figlabels(), plt.figure("named").get_label(), plt.figure(num=7, clear=True).number, plt.get_fignums())
