"""Simulated mouse events on a lasso-free picker, callbacks and widgets."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import MouseButton, MouseEvent
from matplotlib.widgets import Button, CheckButtons, RangeSlider, RectangleSelector, Slider

rng = np.random.default_rng(19)
points = rng.normal(size=(40, 2))


class Picker:
    def __init__(self, ax, xy):
        self.ax, self.xy = ax, xy
        self.chosen = []
        self.dots = ax.scatter(*xy.T, picker=True, pickradius=6)
        self.mark, = ax.plot([], [], "ro", mfc="none", ms=12)
        self.cids = [ax.figure.canvas.mpl_connect(kind, getattr(self, f"on_{kind.split('_')[0]}")) for kind in ("pick_event", "key_press_event", "button_press_event")]

    def on_pick(self, event):
        self.chosen.extend(int(i) for i in event.ind)
        self.mark.set_data(*self.xy[self.chosen].T)
        self.ax.figure.canvas.draw_idle()

    def on_key(self, event):
        if event.key == "escape":
            self.chosen.clear()

    def on_button(self, event):
        if event.button is MouseButton.RIGHT and event.inaxes is self.ax:
            print("right at", round(event.xdata, 2), round(event.ydata, 2))


fig, ax = plt.subplots()
fig.subplots_adjust(bottom=0.3)
picker = Picker(ax, points)
fig.canvas.draw()
for index in (3, 11):
    x, y = ax.transData.transform(points[index])
    for button in (MouseButton.LEFT, MouseButton.RIGHT):
        fig.canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", fig.canvas, x, y, button))
print(sorted(set(picker.chosen)), picker.mark.get_xdata().shape)
slider = Slider(fig.add_axes([0.2, 0.1, 0.6, 0.03]), "size", 1, 100, valinit=20, valstep=5, valfmt="%d")
slider.on_changed(lambda v: picker.dots.set_sizes([v]))
slider.set_val(52)
span = RangeSlider(fig.add_axes([0.2, 0.05, 0.6, 0.03]), "x", -3, 3, valinit=(-1, 1))
seen = []
span.on_changed(seen.append)
span.set_val((-2, 0.5))
button = Button(fig.add_axes([0.85, 0.9, 0.1, 0.05]), "clear")
button.on_clicked(lambda event: picker.chosen.clear())
checks = CheckButtons(fig.add_axes([0.01, 0.4, 0.1, 0.15]), ["grid", "dots"], [False, True])
checks.on_clicked(lambda label: ax.grid(True) if label == "grid" else picker.dots.set_visible(not picker.dots.get_visible()))
checks.set_active(1)
selector = RectangleSelector(ax, lambda a, b: None, useblit=False, interactive=True)
selector.extents = (-1, 1, -1, 1)
print(slider.val, picker.dots.get_sizes(), seen[-1], checks.get_status(), picker.dots.get_visible(), selector.extents)
fig.canvas.mpl_disconnect(picker.cids[0])
fig.savefig("pick.png")
