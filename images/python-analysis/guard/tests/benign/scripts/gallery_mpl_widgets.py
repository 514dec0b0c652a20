import numpy as np
import matplotlib.pyplot as plt
from matplotlib.widgets import (Slider, RangeSlider, Button, RadioButtons, CheckButtons, TextBox, Cursor, MultiCursor, SpanSelector, RectangleSelector, EllipseSelector, LassoSelector, PolygonSelector, SubplotTool, AxesWidget, Widget, LockDraw)
from matplotlib.path import Path

fig, ax = plt.subplots()
line, = ax.plot(np.sin(np.linspace(0, 6)))
fig.subplots_adjust(left=0.25, bottom=0.25)
axfreq = fig.add_axes([0.25, 0.1, 0.65, 0.03])
s = Slider(ax=axfreq, label="Freq", valmin=0.1, valmax=30, valinit=3, valstep=0.5, orientation="horizontal", handle_style={"facecolor": "r"}, track_color="0.8")
seen = []
cid = s.on_changed(lambda v: seen.append(v)); s.set_val(5.2); s.reset(); s.disconnect(cid); print(seen, s.val, s.valtext.get_text())
r = RangeSlider(fig.add_axes([0.1, 0.25, 0.02, 0.6]), "T", 0, 10, valinit=(2, 5), orientation="vertical"); r.set_val((1, 3)); print(r.val)
b = Button(fig.add_axes([0.8, 0.025, 0.1, 0.04]), "Reset", hovercolor="0.975", color="r"); b.on_clicked(lambda e: s.reset()); b.label.set_fontsize(8)
rb = RadioButtons(fig.add_axes([0.02, 0.5, 0.1, 0.2]), ("red", "blue"), active=1, label_props={"color": ["r", "b"]}, radio_props={"s": [16, 32]}); rb.on_clicked(line.set_color); rb.set_active(0); print(rb.value_selected, line.get_color())
cb = CheckButtons(fig.add_axes([0.02, 0.2, 0.1, 0.2]), ["a", "b"], [True, False], frame_props={"edgecolor": "r"}, check_props={"facecolor": "g"}); cb.set_active(1); print(cb.get_status(), cb.get_checked_labels())
tb = TextBox(fig.add_axes([0.1, 0.05, 0.8, 0.05]), "Evaluate", initial="t ** 2", textalignment="center"); tb.on_submit(lambda e: print("submit", e)); tb.set_val("t"); print(tb.text)
c = Cursor(ax, useblit=True, color="red", linewidth=2); m = MultiCursor(None, (ax,), color="r", lw=1)
sp = SpanSelector(ax, lambda a, b: print("span", a, b), "horizontal", useblit=True, props=dict(alpha=0.5, facecolor="tab:blue"), interactive=True, drag_from_anywhere=True); sp.extents = (1, 3); print(sp.extents)
rs = RectangleSelector(ax, lambda *e: None, useblit=True, button=[1, 3], minspanx=5, spancoords="pixels", interactive=True); rs.extents = (1, 2, 0, 1); rs.set_active(False); print(rs.active, rs.center, rs.corners[0])
es = EllipseSelector(ax, print); ls = LassoSelector(ax, onselect=lambda v: print(Path(v))); ps = PolygonSelector(ax, print, props={"color": "r"}); ps.verts = [(0, 0), (1, 1), (0, 1)]; print(ps.verts[:2]); ls.disconnect_events(); ps.set_visible(False)
from matplotlib.backend_bases import MouseEvent, KeyEvent
fig.canvas.draw()
x, y = ax.transData.transform((10, 0.5))
for n in ("button_press_event", "button_release_event"): fig.canvas.callbacks.process(n, MouseEvent(n, fig.canvas, x, y, 1))
x, y = fig.axes[3].transAxes.transform((0.5, 0.5)) ; fig.canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", fig.canvas, x, y, 1)); fig.canvas.callbacks.process("button_release_event", MouseEvent("button_release_event", fig.canvas, x, y, 1)); print(s.val)
class Index:
    ind = 0
    def next(self, event): self.ind += 1; line.set_ydata(np.cos(np.linspace(0, 6) * self.ind)); plt.draw()
cb2 = Index(); b.on_clicked(cb2.next); cb2.next(None); print(cb2.ind, isinstance(b, AxesWidget), b.canvas is fig.canvas)
class MyWidget(AxesWidget):
    def __init__(self, ax):
        super().__init__(ax); self.n = 0; self.connect_event("button_press_event", self._click)
    def _click(self, event):
        if self.ignore(event): return
        self.n += 1
w = MyWidget(ax); fig.canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", fig.canvas, 200, 200, 1)); print(w.n)
