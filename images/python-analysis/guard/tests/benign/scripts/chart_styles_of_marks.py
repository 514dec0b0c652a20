"""Marks and lines to their last property: turned and half-filled markers, dashes with gap colours, cycles, joins."""
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.artist import Artist, ArtistInspector, allow_rasterization, getp, setp
from matplotlib.lines import Line2D, VertexSelector
from matplotlib.markers import CapStyle, JoinStyle, MarkerStyle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D


class Whiskers(Artist):
    """Lines across at given heights, drawn straight onto the renderer."""

    def __init__(self, heights, reach=6.0, **kwargs):
        super().__init__()
        self._heights, self._reach = list(heights), reach
        self._internal_update(kwargs) if hasattr(self, "_internal_update") else self.update(kwargs)

    def get_reach(self):
        return self._reach

    def set_reach(self, reach):
        """
        Set the half length.

        Parameters
        ----------
        reach : float
        """
        self._reach = reach
        self.stale = True

    @allow_rasterization
    def draw(self, renderer):
        if not self.get_visible():
            return
        pen = renderer.new_gc()
        pen.set_foreground("tab:red")
        pen.set_linewidth(1.5)
        pen.set_capstyle("round")
        for height in self._heights:
            x, y = self.axes.transData.transform((0.5, height))
            renderer.draw_path(pen, Path([(x - self._reach, y), (x + self._reach, y)]), Affine2D())
        pen.restore()
        self.stale = False


leaf = Path(np.array([(0, 0), (0.6, 0.4), (0, 1), (-0.6, 0.4), (0, 0)]), [Path.MOVETO, Path.CURVE3, Path.CURVE3, Path.CURVE3, Path.CURVE3])
fig, (marks, lines) = plt.subplots(1, 2, figsize=(8, 4))
for place, style in enumerate(("full", "left", "top", "none")):
    marks.plot([place], [0], marker=MarkerStyle("h", style, Affine2D().rotate_deg(15 * place)), ms=14, mfcalt="khaki")
marks.plot([0, 1, 2], [1, 1, 1], marker=leaf, ms=18, ls="")
marks.scatter([0, 1, 2], [2, 2, 2], marker=(5, 1, 20), s=[40, 90, 140], linewidths=2, edgecolors="k", plotnonfinite=True)
marks.plot([0, 1, 2], [3, 3, 3], marker="$\\mu$", ms=12, color="g")
bones = MarkerStyle("x", capstyle="round").scaled(1.4).rotated(deg=30)
print(bones.get_capstyle(), bones.get_marker(), MarkerStyle("v").is_filled(), MarkerStyle("+").get_joinstyle(), sorted(style.value for style in CapStyle), JoinStyle.bevel.name)
print(len(Line2D.markers) > 30, sorted(Line2D.lineStyles, key=str)[:3], Line2D.fillStyles[-1])
lines.set_prop_cycle(cycler(color=["navy", "peru"]) * cycler(ls=["-", (0, (4, 1, 1, 1))]) + cycler(lw=[1, 2, 3, 4]))
many = [lines.plot([0, 1], [k, k + 0.5], gapcolor="gold" if k % 2 else None)[0] for k in range(4)]
setp(many[:2], marker="s", markevery=1, dash_capstyle="round")
print([line.get_linestyle() for line in many], [line.get_color() for line in many], getp(many[3], "linewidth"), many[1].is_dashed(), many[1].get_gapcolor())
whiskers = Whiskers([0.5, 1.5], reach=9, label="limits", zorder=5)
lines.add_artist(whiskers)
whiskers.set(reach=12, alpha=0.5)
inspector = ArtistInspector(whiskers)
fig.canvas.draw()
print(whiskers.stale, getp(whiskers, "reach"), "reach" in inspector.get_setters(), inspector.get_valid_values("reach"), whiskers.properties()["label"])
print(len(fig.findobj(Line2D)) > 6, [type(found).__name__ for found in fig.findobj(lambda artist: isinstance(artist, Whiskers))], lines.get_children()[0].get_zorder())


class Chosen(VertexSelector):
    def process_selected(self, ind, xs, ys):
        self.found = [int(i) for i in ind]


many[0].set_picker(True)
chosen = Chosen(many[0])
chosen.process_selected([1, 0], [], [])
print(chosen.found, many[0].contains_point if hasattr(many[0], "contains_point") else "no contains_point", [c["color"] for c in mpl.rcParams["axes.prop_cycle"]][:2])
before = plt.rcParams["lines.linewidth"]
with plt.style.context(["ggplot", {"lines.linewidth": 7}]):
    print(plt.rcParams["lines.linewidth"], "ggplot" in plt.style.available)
print(plt.rcParams["lines.linewidth"] == before, many[2].get_drawstyle(), many[2].get_path().codes)
