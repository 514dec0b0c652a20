"""An overview and its section: limits that change call back, and the section is computed afresh."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle


class Terrain:
    """Waves laid over each other, computed at the resolution that the axes have."""

    def __init__(self, cells=48):
        self.cells, self.computed = cells, 0

    def heights(self, x0, x1, y0, y1):
        self.computed += 1
        x, y = np.meshgrid(np.linspace(x0, x1, self.cells), np.linspace(y0, y1, self.cells))
        return np.sin(x) * np.cos(1.7 * y) + 0.2 * np.sin(9 * x + 4 * y)

    def refresh(self, axes):
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        picture = axes.images[-1]
        picture.set(data=self.heights(left, right, low, high), extent=(left, right, low, high))
        picture.autoscale()
        axes.figure.canvas.draw_idle()


terrain = Terrain()
fig, (whole, part) = plt.subplots(1, 2)
for axes in (whole, part):
    axes.imshow(terrain.heights(0, 10, 0, 10), extent=(0, 10, 0, 10), origin="lower")
    axes.set_autoscale_on(False)
frame = whole.add_patch(Rectangle((0, 0), 10, 10, fill=False, ec="w"))
tokens = [part.callbacks.connect(f"{which}lim_changed", lambda axes: frame.set_bounds(*axes.viewLim.bounds)) for which in "xy"]
tokens.append(part.callbacks.connect("ylim_changed", terrain.refresh))
part.set(xlim=(2, 4), ylim=(3, 5))
fig.canvas.draw()
print(frame.get_bbox().bounds, part.images[0].get_extent(), terrain.computed)
part.callbacks.disconnect(tokens.pop())
part.set_ylim(0, 1)
print(terrain.computed, frame.get_height(), part.images[0].get_array().shape)
inset = whole.inset_axes([0.6, 0.6, 0.35, 0.35], xlim=(7, 8), ylim=(7, 8))
mark = whole.indicate_inset_zoom(inset, edgecolor="white")
print(type(mark).__name__ in ("InsetIndicator", "tuple"), len(whole.child_axes), whole.get_shared_x_axes().joined(whole, part))
part.sharex(whole) if False else part.margins(0.1)
print(part.get_navigate(), part.can_zoom(), part.drag_pan is not None)
