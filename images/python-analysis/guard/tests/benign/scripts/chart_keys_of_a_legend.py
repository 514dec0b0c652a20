"""A legend whose keys are made by hand: severity ladders, paired symbols, plain objects, a second legend."""
import matplotlib.pyplot as plt
from dataclasses import dataclass
from matplotlib.collections import LineCollection
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerBase, HandlerErrorbar, HandlerLine2D, HandlerLineCollection, HandlerPatch, HandlerPathCollection, HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch, Patch, RegularPolygon


@dataclass(frozen=True)
class Severity:
    steps: int
    colour: str


class LadderHandler(HandlerBase):
    """One little bar for each step, each higher than the one before."""

    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        each = width / orig_handle.steps
        return [Patch(visible=False)] + [
            FancyBboxPatch((each * k - xdescent, -ydescent), each * 0.7, height * (k + 1) / orig_handle.steps, boxstyle="square,pad=0",
                           facecolor=orig_handle.colour, transform=trans)
            for k in range(orig_handle.steps)
        ]


class WardHandler(HandlerPatch):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        shape = RegularPolygon((width / 2 - xdescent, height / 2 - ydescent), numVertices=6, radius=height * 0.7)
        self.update_prop(shape, orig_handle, legend)
        shape.set_transform(trans)
        return [shape]


class FadingLines(HandlerLineCollection):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        xs, _ = self.get_xdata(legend, xdescent, ydescent, width, height, fontsize)
        lines = []
        for k, alpha in enumerate((0.25, 0.6, 1.0)):
            line = Line2D([xs[0], xs[-1]], [height * (k + 0.5) / 3 - ydescent] * 2, alpha=alpha, color=orig_handle.get_colors()[0], transform=trans)
            lines.append(line)
        return lines


class PlainText:
    def legend_artist(self, legend, orig_handle, fontsize, handlebox):
        dot = Circle((handlebox.width / 2, handlebox.height / 2), handlebox.height / 3, color="k", transform=handlebox.get_transform())
        handlebox.add_artist(dot)
        return dot


fig, ax = plt.subplots()
bars = ax.errorbar([1, 2, 3], [2, 1, 3], yerr=0.4, fmt="o-", label="mean")
dots = ax.scatter([1, 2, 3], [1, 3, 2], c=[1, 2, 3], label="patients")
paths = ax.add_collection(LineCollection([[(0, 0), (1, 1)], [(0, 1), (1, 0)]], colors="navy", label="courses"))
ward = ax.add_patch(Circle((2, 2), 0.3, fc="gold", ec="k", label="ward"))
mild, grave = Severity(2, "tab:green"), Severity(4, "tab:red")
Legend.update_default_handler_map({Severity: LadderHandler()})
handles = [bars, dots, paths, ward, mild, grave, (Line2D([], [], marker="v"), Line2D([], [], marker="^")), "note"]
names = ["mean", "patients", "courses", "ward", "mild", "grave", "in and out", "note"]
legend = ax.legend(
    handles, names, ncols=2, loc="upper center", title="Course", fancybox=True, borderaxespad=0.2, handlelength=3,
    handler_map={paths: FadingLines(), Circle: WardHandler(), tuple: HandlerTuple(ndivide=None), str: PlainText(),
                 type(bars): HandlerErrorbar(numpoints=2), type(dots): HandlerPathCollection(sizes=[20, 40, 60])},
)
ax.add_artist(legend)
second = ax.legend(handles=[Patch(hatch="//", label="closed")], loc="lower right")
fig.canvas.draw()
print([text.get_text() for text in legend.get_texts()], legend.get_title().get_text())
print(len(legend.legend_handles), len(legend.get_patches()) > 0, second.get_texts()[0].get_text(), Severity in Legend.get_default_handler_map())
print(HandlerLine2D(numpoints=3).get_numpoints(legend), legend.get_frame().get_boxstyle().__class__.__name__, legend.get_window_extent().width > 0)
legend.set_draggable(True)
print(legend.get_draggable(), legend is not ax.get_legend())
