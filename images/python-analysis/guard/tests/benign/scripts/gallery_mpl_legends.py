import matplotlib.pyplot as plt
import numpy as np
import matplotlib.patches as mpatches
from matplotlib.lines import Line2D
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerBase, HandlerLine2D, HandlerTuple, HandlerPatch, HandlerLineCollection, HandlerErrorbar, HandlerPathCollection
from matplotlib.collections import LineCollection

class AnyObject:
    pass

class AnyObjectHandler:
    def legend_artist(self, legend, orig_handle, fontsize, handlebox):
        x0, y0 = handlebox.xdescent, handlebox.ydescent
        patch = mpatches.Rectangle([x0, y0], handlebox.width, handlebox.height, facecolor="red", hatch="xx", transform=handlebox.get_transform())
        handlebox.add_artist(patch)
        return patch

class HandlerEllipse(HandlerPatch):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        p = mpatches.Ellipse(xy=(0.5 * width, 0.5 * height), width=width, height=height)
        self.update_prop(p, orig_handle, legend)
        p.set_transform(trans)
        return [p]

class HandlerDashedLines(HandlerLineCollection):
    def create_artists(self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans):
        numlines = len(orig_handle.get_segments())
        xdata, xdata_marker = self.get_xdata(legend, xdescent, ydescent, width, height, fontsize)
        out = []
        ydata = np.full_like(xdata, height / (numlines + 1))
        for i in range(numlines):
            line = Line2D(xdata, ydata * (numlines - i) - ydescent)
            self.update_prop(line, orig_handle, legend)
            try:
                color = orig_handle.get_colors()[i]
            except IndexError:
                color = orig_handle.get_colors()[0]
            line.set_color(color)
            line.set_transform(trans)
            out.append(line)
        return out

fig, ax = plt.subplots()
l1, = ax.plot([1, 2, 3], "o-", label="two")
l2, = ax.plot([3, 2, 1], label="one")
lc = LineCollection([[(0, 0), (1, 1)]] * 3, colors=["r", "g", "b"], label="multi")
ax.add_collection(lc)
c = mpatches.Circle((0.5, 0.5), 0.25, facecolor="green", label="circ")
ax.add_patch(c)
leg = ax.legend([AnyObject(), c, lc, (l1, l2), l1], ["any", "circ", "lines", "tuple", "line"], handler_map={AnyObject: AnyObjectHandler(), mpatches.Circle: HandlerEllipse(), type(lc): HandlerDashedLines(), tuple: HandlerTuple(ndivide=None, pad=0), l1: HandlerLine2D(numpoints=4)}, shadow=True, fancybox=True, ncols=2, title="T", title_fontproperties={"weight": "bold"}, alignment="left", reverse=True, draggable=False, labelcolor="linecolor")
leg2 = Legend(ax, [l2], ["other"], loc="lower center", frameon=False)
ax.add_artist(leg2)
leg.get_frame().set_edgecolor("b")
for h in leg.legend_handles: h.set_alpha(0.5)
for t in leg.get_texts(): t.set_ha("right")
fig.canvas.draw()
print([t.get_text() for t in leg.get_texts()], leg.get_title().get_text(), leg.get_frame().get_boxstyle().__class__.__name__, Legend.get_default_handler_map()[tuple].__class__.__name__)
print(leg._legend_box.__class__.__name__ if hasattr(leg, "_legend_box") else "?")
