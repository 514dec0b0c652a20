"""Legend with custom handlers and proxy artists."""
import matplotlib.lines as mlines
import matplotlib.patches as mpatches
import matplotlib.pyplot as plt
from matplotlib.legend_handler import HandlerBase, HandlerLine2D, HandlerPatch, HandlerTuple, HandlerLineCollection
from matplotlib.collections import LineCollection
from matplotlib.legend import Legend
from matplotlib.text import Text


class AnyObject:
    pass


class AnyObjectHandler:
    def legend_artist(self, legend, orig_handle, fontsize, handlebox):
        x0, y0 = handlebox.xdescent, handlebox.ydescent
        width, height = handlebox.width, handlebox.height
        patch = mpatches.Rectangle([x0, y0], width, height, facecolor="red", edgecolor="black", hatch="xx", lw=3, transform=handlebox.get_transform())
        handlebox.add_artist(patch)
        return patch


class HandlerEllipse(HandlerPatch):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        center = 0.5 * width - 0.5 * xdescent, 0.5 * height - 0.5 * ydescent
        p = mpatches.Ellipse(xy=center, width=width + xdescent, height=height + ydescent)
        self.update_prop(p, orig_handle, legend)
        p.set_transform(trans)
        return [p]


class TextHandler(HandlerBase):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        return [Text(width / 2, height / 4, orig_handle, fontsize=fontsize, transform=trans, ha="center")]


class HandlerColors(HandlerLineCollection):
    def create_artists(self, legend, artist, xdescent, ydescent, width, height, fontsize, trans):
        lc = LineCollection([[(i * width / 4, height / 2), ((i + 1) * width / 4, height / 2)] for i in range(4)], transform=trans, cmap=artist.cmap)
        lc.set_array([0, 1, 2, 3])
        return [lc]


fig, ax = plt.subplots()
line1, = ax.plot([3, 2, 1], marker="o", label="Line 1")
l2 = ax.scatter([1, 2], [2, 3], c="r")
c = mpatches.Circle((0.5, 0.5), 0.25, facecolor="green", edgecolor="red", linewidth=3)
ax.add_patch(c)
lc = LineCollection([[(0, 0), (1, 1)]], cmap="viridis")
leg = ax.legend([line1, (line1, l2), AnyObject(), c, lc], ["one", "tuple", "any", "ellipse", "lc"],
                handler_map={line1: HandlerLine2D(numpoints=4), tuple: HandlerTuple(ndivide=None), AnyObject: AnyObjectHandler(),
                             mpatches.Circle: HandlerEllipse(), LineCollection: HandlerColors()}, loc="upper left", ncols=2, title="Legend", shadow=True)
ax.add_artist(leg)
Legend.update_default_handler_map({str: TextHandler()})
ax.legend([mlines.Line2D([], [], color="blue", marker="*", ls="none"), mpatches.Patch(color="r", hatch="//"), "abc"], ["star", "patch", "text"],
          bbox_to_anchor=(0., 1.02, 1., .102), loc="lower left", mode="expand", borderaxespad=0.)
fig.canvas.draw()
print([t.get_text() for t in ax.get_legend().get_texts()], len(leg.legend_handles), ax.get_legend_handles_labels()[1])
