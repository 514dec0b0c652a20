"""All the widgets with callbacks that are never fired."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.widgets import (Button, Cursor, EllipseSelector, LassoSelector, MultiCursor, PolygonSelector, RangeSlider, RectangleSelector, Slider,
                                SpanSelector, SubplotTool, TextBox)
from matplotlib.path import Path
import matplotlib.backend_bases


def line_select_callback(eclick, erelease):
    x1, y1 = eclick.xdata, eclick.ydata
    print(f"({x1:3.2f}, {y1:3.2f})")


def toggle_selector(event):
    if event.key == "t":
        for selector in selectors:
            selector.set_active(not selector.active)


class SelectFromCollection:
    def __init__(self, ax, collection, alpha_other=0.3):
        self.canvas = ax.figure.canvas
        self.collection = collection
        self.xys = collection.get_offsets()
        self.Npts = len(self.xys)
        self.fc = np.tile(collection.get_facecolors(), (self.Npts, 1))
        self.poly = PolygonSelector(ax, self.onselect, draw_bounding_box=True)
        self.ind = []

    def onselect(self, verts):
        path = Path(verts)
        self.ind = np.nonzero(path.contains_points(self.xys))[0]
        self.canvas.draw_idle()


fig = plt.figure(layout="constrained")
axs = fig.subplots(2, 2)
selectors = []
for ax, selector_class in zip(axs[0], [RectangleSelector, EllipseSelector]):
    ax.plot(np.arange(10))
    selectors.append(selector_class(ax, line_select_callback, useblit=True, button=[1, 3], minspanx=5, minspany=5, spancoords="pixels", interactive=True, props=dict(fc="r")))
fig.canvas.mpl_connect("key_press_event", toggle_selector)
span = SpanSelector(axs[1, 0], lambda lo, hi: print(lo, hi), "horizontal", useblit=True, props=dict(alpha=0.5), interactive=True, drag_from_anywhere=True)
span.extents = (2, 4)
sel = SelectFromCollection(axs[1, 1], axs[1, 1].scatter([1, 2, 3], [3, 1, 2]))
sel.poly.verts = [(0, 0), (4, 0), (4, 2.5), (0, 2.5)]
sel.onselect(sel.poly.verts)
lasso = LassoSelector(axs[1, 1], onselect=lambda v: None)
cursor = Cursor(axs[0, 0], useblit=True, color="red", linewidth=2)
multi = MultiCursor(None, tuple(axs[0]), color="r", lw=1)
fig2, ax2 = plt.subplots()
fig2.subplots_adjust(bottom=0.25)
rs = RangeSlider(fig2.add_axes([0.2, 0.1, 0.6, 0.03]), "Thr", 0, 1, valinit=(0.2, 0.6))
rs.on_changed(lambda val: print("range", tuple(round(float(v), 2) for v in val)))
rs.set_val((0.1, 0.5))
tb = TextBox(fig2.add_axes([0.2, 0.02, 0.6, 0.05]), "Evaluate", textalignment="center")
tb.on_submit(lambda text: print("text", text))
tb.set_val("t ** 2")
print(span.extents, sel.ind, selectors[0].active, cursor.visible, type(multi).__name__)
