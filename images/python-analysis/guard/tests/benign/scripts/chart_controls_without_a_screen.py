"""Controls of a dose calculator: sliders, buttons, choices, text and selections, moved by the program itself."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import MouseEvent
from matplotlib.path import Path
from matplotlib.widgets import (AxesWidget, Button, CheckButtons, Cursor, EllipseSelector, LassoSelector, MultiCursor, PolygonSelector, RadioButtons,
                                RangeSlider, RectangleSelector, Slider, SpanSelector, TextBox)

hours = np.linspace(0, 24, 97)


def level(dose, half_life):
    return dose * (np.exp(-np.log(2) * hours / half_life) - np.exp(-hours * 1.5))


class Panel:
    def __init__(self):
        self.figure, self.axes = plt.subplots(figsize=(6, 5))
        self.figure.subplots_adjust(left=0.3, bottom=0.35)
        self.line = self.axes.plot(hours, level(100, 6))[0]
        self.log = []
        place = self.figure.add_axes
        self.dose = Slider(place([0.3, 0.2, 0.6, 0.03]), "mg", 25, 500, valinit=100, valstep=[25, 50, 100, 250, 500], color="olive")
        self.half = Slider(place([0.3, 0.15, 0.6, 0.03]), "h", 1, 24, valinit=6, valfmt="%.1f", dragging=True)
        self.window = RangeSlider(place([0.3, 0.1, 0.6, 0.03]), "target", 0, 400, valinit=(20, 60))
        self.again = Button(place([0.02, 0.02, 0.15, 0.06]), "again", hovercolor="0.9")
        self.colour = RadioButtons(place([0.02, 0.6, 0.2, 0.2]), ["navy", "firebrick"], active=0)
        self.shown = CheckButtons(place([0.02, 0.4, 0.2, 0.15]), ["curve", "grid"], [True, False])
        self.name = TextBox(place([0.05, 0.9, 0.2, 0.05]), "id", initial="p-01", textalignment="center")
        self.dose.on_changed(self.redraw)
        self.half.on_changed(self.redraw)
        self.again.on_clicked(lambda event: [each.reset() for each in (self.dose, self.half)])
        self.colour.on_clicked(self.line.set_color)
        self.shown.on_clicked(self.toggle)
        self.name.on_submit(lambda text: self.log.append(("id", text)))

    def redraw(self, value):
        self.line.set_ydata(level(self.dose.val, self.half.val))
        self.log.append(round(float(value), 2))

    def toggle(self, which):
        self.line.set_visible(self.shown.get_status()[0]) if which == "curve" else self.axes.grid()

    def press(self, widget):
        canvas = self.figure.canvas
        x, y = widget.ax.transAxes.transform((0.5, 0.5))
        for kind in ("button_press_event", "button_release_event"):
            canvas.callbacks.process(kind, MouseEvent(kind, canvas, x, y, 1))


class Marker(AxesWidget):
    """A widget of one's own: a dashed line where the mouse was clicked last."""

    def __init__(self, ax):
        super().__init__(ax)
        self.line = ax.axvline(np.nan, ls="--")
        self.connect_event("button_press_event", self.put)

    def put(self, event):
        if not self.ignore(event) and event.inaxes is self.ax:
            self.line.set_xdata([event.xdata] * 2)


panel = Panel()
panel.dose.set_val(240)
panel.half.set_val(9.25)
panel.window.set_val((80, 10))
panel.colour.set_active(1)
panel.shown.set_active(0)
panel.name.set_val("p-17")
panel.press(panel.again)
print(panel.log, panel.dose.val, panel.window.val, panel.line.get_color(), panel.line.get_visible(), panel.name.text)
print(panel.dose.valtext.get_text(), panel.half.label.get_text(), panel.shown.get_status(), panel.colour.value_selected)
dots = panel.axes.scatter(hours[::8], level(100, 6)[::8])
spans, boxes, shapes = [], [], []
span = SpanSelector(panel.axes, lambda low, high: spans.append((low, high)), "horizontal", useblit=True, props={"alpha": 0.3})
span.extents = (4.0, 9.0)
area = RectangleSelector(panel.axes, lambda press, release: boxes.append((press.xdata, release.ydata)), interactive=True, minspanx=1)
area.extents = (2, 8, 10, 50)
round_one = EllipseSelector(panel.axes, lambda *both: None)
polygon = PolygonSelector(panel.axes, lambda corners: shapes.append(len(corners)))
polygon.verts = [(1, 0), (12, 0), (12, 90), (1, 90)]
lasso = LassoSelector(panel.axes, onselect=lambda corners: shapes.append(-1))
inside = Path(polygon.verts).contains_points(dots.get_offsets())
Cursor(panel.axes, horizOn=False, color="0.7"), MultiCursor(None, [panel.axes], vertOn=True)
marker = Marker(panel.axes)
marker.set_active(True)
panel.figure.canvas.draw()
print(span.extents, area.extents, area.corners[0][:2], int(inside.sum()), marker.active, len(polygon.verts))
for widget in (span, area, round_one, lasso):
    widget.set_active(False)
    widget.set_visible(False)
print([widget.active for widget in (span, area, lasso)], np.isnan(marker.line.get_xdata()[0]), marker.drawon)
