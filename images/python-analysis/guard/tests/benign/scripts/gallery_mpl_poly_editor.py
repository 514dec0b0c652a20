import numpy as np
import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, PathPatch
from matplotlib.backend_bases import MouseButton, MouseEvent

class PolygonInteractor:
    showverts = True
    epsilon = 5

    def __init__(self, ax, poly):
        if poly.figure is None:
            raise RuntimeError("add the polygon first")
        self.ax = ax
        canvas = poly.figure.canvas
        self.poly = poly
        x, y = zip(*self.poly.xy)
        self.line = Line2D(x, y, marker="o", markerfacecolor="r", animated=True)
        self.ax.add_line(self.line)
        self.cid = self.poly.add_callback(self.poly_changed)
        self._ind = None
        canvas.mpl_connect("draw_event", self.on_draw)
        canvas.mpl_connect("button_press_event", self.on_button_press)
        canvas.mpl_connect("key_press_event", self.on_key_press)
        canvas.mpl_connect("motion_notify_event", self.on_mouse_move)
        self.canvas = canvas

    def on_draw(self, event):
        self.background = self.canvas.copy_from_bbox(self.ax.bbox)
        self.ax.draw_artist(self.poly)
        self.ax.draw_artist(self.line)

    def poly_changed(self, poly):
        vis = self.line.get_visible()
        Artist.update_from(self.line, poly)
        self.line.set_visible(vis)

    def get_ind_under_point(self, event):
        xy = np.asarray(self.poly.xy)
        xyt = self.poly.get_transform().transform(xy)
        d = np.hypot(xyt[:, 0] - event.x, xyt[:, 1] - event.y)
        ind = np.nonzero(d == d.min())[0][0]
        return None if d[ind] >= self.epsilon else ind

    def on_button_press(self, event):
        if event.inaxes is None or event.button != 1:
            return
        self._ind = self.get_ind_under_point(event)

    def on_key_press(self, event):
        if event.key == "t": self.showverts = not self.showverts

    def on_mouse_move(self, event):
        if self._ind is None or event.inaxes is None:
            return
        x, y = event.xdata, event.ydata
        self.poly.xy[self._ind] = x, y
        self.line.set_data(zip(*self.poly.xy))
        self.canvas.restore_region(self.background)
        self.ax.draw_artist(self.poly)
        self.ax.draw_artist(self.line)
        self.canvas.blit(self.ax.bbox)

theta = np.arange(0, 2 * np.pi, 0.5)
poly = Polygon(np.column_stack([1.5 * np.cos(theta), 1.5 * np.sin(theta)]), animated=True)
fig, ax = plt.subplots()
ax.add_patch(poly)
p = PolygonInteractor(ax, poly)
ax.set_xlim((-2, 2)); ax.set_ylim((-2, 2))
fig.canvas.draw()
x, y = ax.transData.transform(poly.xy[2])
fig.canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", fig.canvas, x, y, 1))
fig.canvas.callbacks.process("motion_notify_event", MouseEvent("motion_notify_event", fig.canvas, x + 20, y, 1))
poly.set_color("g"); poly.pchanged()
print(p._ind, poly.xy[2].round(3), p.line.get_visible())
