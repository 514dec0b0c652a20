"""A recorded session of mouse and keys played back: threshold lines are moved, points are marked, a polygon is edited."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import KeyEvent, LocationEvent, MouseButton, MouseEvent, PickEvent
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.path import Path


class Threshold:
    """A horizontal line that follows the mouse while the left button is held."""

    active = None

    def __init__(self, axes, height, label):
        self.line = axes.axhline(height, label=label, picker=4)
        canvas = axes.figure.canvas
        self.tokens = [canvas.mpl_connect(name, getattr(self, f"when_{name.split('_')[0]}_{name.split('_')[1]}"))
                       for name in ("button_press_event", "motion_notify_event", "button_release_event")]

    def when_button_press(self, event):
        hit, _ = self.line.contains(event)
        if hit and event.button is MouseButton.LEFT and Threshold.active is None:
            Threshold.active = self

    def when_motion_notify(self, event):
        if Threshold.active is self and event.inaxes is self.line.axes:
            self.line.set_ydata([event.ydata, event.ydata])

    def when_button_release(self, event):
        Threshold.active = None

    @property
    def height(self):
        return float(self.line.get_ydata()[0])


class Region:
    """A polygon: 'a' adds the point under the mouse, 'x' takes the nearest corner away."""

    def __init__(self, patch):
        self.patch = patch
        self.edge = Line2D(*patch.xy.T, marker="s", color="k")
        patch.axes.add_line(self.edge)
        patch.add_callback(lambda changed: self.edge.set_data(*changed.xy.T))
        patch.axes.figure.canvas.mpl_connect("key_press_event", self.when_key)

    def when_key(self, event):
        corners = self.patch.xy[:-1]
        pixels = self.patch.axes.transData.transform(corners)
        nearest = int(np.hypot(*(pixels - (event.x, event.y)).T).argmin())
        if event.key == "a":
            corners = np.insert(corners, nearest + 1, (event.xdata, event.ydata), axis=0)
        elif event.key == "x" and len(corners) > 3:
            corners = np.delete(corners, nearest, axis=0)
        self.patch.set_xy(corners)
        self.patch.pchanged()


fig, ax = plt.subplots()
rng = np.random.default_rng(9)
dots = ax.scatter(rng.uniform(0, 10, 40), rng.uniform(0, 10, 40), picker=True)
low, high = Threshold(ax, 2.0, "low"), Threshold(ax, 8.0, "high")
region = Region(ax.add_patch(Polygon([(4, 4), (6, 4), (6, 6), (4, 6)], closed=True, alpha=0.3)))
ax.set(xlim=(0, 10), ylim=(0, 10))
picked = []
fig.canvas.mpl_connect("pick_event", lambda event: picked.append((type(event.artist).__name__, isinstance(event, PickEvent))))
fig.canvas.draw()


def mouse(name, x, y, button=MouseButton.LEFT):
    where = ax.transData.transform((x, y))
    event = MouseEvent(name, fig.canvas, *where, button)
    fig.canvas.callbacks.process(name, event)
    return event


mouse("button_press_event", 5, 2)
mouse("motion_notify_event", 5, 3.25)
mouse("button_release_event", 5, 3.25)
mouse("motion_notify_event", 5, 7)
for key, x, y in (("a", 5, 6.8), ("x", 6, 4), ("?", 1, 1)):
    fig.canvas.callbacks.process("key_press_event", KeyEvent("key_press_event", fig.canvas, key, *ax.transData.transform((x, y))))
fig.pick(mouse("button_press_event", 5, 8))
inside = Path(region.patch.xy).contains_points(dots.get_offsets())
print(round(low.height, 2), round(high.height, 2), Threshold.active is high, len(region.patch.xy), len(region.edge.get_xdata()))
print(picked[:1], bool(inside.sum() >= 0), LocationEvent.__name__, ax.contains(mouse("motion_notify_event", 1, 1))[0])
for token in low.tokens:
    fig.canvas.mpl_disconnect(token)
mouse("button_press_event", 5, low.height)
print(ax.pickable(), dots.get_picker(), sorted(name for name in fig.canvas.events if name.startswith("key")))
