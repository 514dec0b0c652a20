"""Events that are processed by hand: draggable rectangle, picking, key presses."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import KeyEvent, MouseEvent, PickEvent, MouseButton


class DraggableRectangle:
    lock = None

    def __init__(self, rect):
        self.rect = rect
        self.press = None

    def connect(self):
        self.cidpress = self.rect.figure.canvas.mpl_connect("button_press_event", self.on_press)
        self.cidrelease = self.rect.figure.canvas.mpl_connect("button_release_event", self.on_release)
        self.cidmotion = self.rect.figure.canvas.mpl_connect("motion_notify_event", self.on_motion)

    def on_press(self, event):
        if event.inaxes != self.rect.axes or DraggableRectangle.lock is not None:
            return
        contains, attrd = self.rect.contains(event)
        if not contains:
            return
        print("event contains", self.rect.xy)
        self.press = self.rect.xy, (event.xdata, event.ydata)
        DraggableRectangle.lock = self

    def on_motion(self, event):
        if DraggableRectangle.lock is not self:
            return
        (x0, y0), (xpress, ypress) = self.press
        self.rect.set_x(x0 + event.xdata - xpress)
        self.rect.set_y(y0 + event.ydata - ypress)

    def on_release(self, event):
        self.press = None
        DraggableRectangle.lock = None

    def disconnect(self):
        self.rect.figure.canvas.mpl_disconnect(self.cidpress)


fig, ax = plt.subplots()
rects = ax.bar(range(5), [3, 4, 5, 2, 1])
drs = []
for rect in rects:
    dr = DraggableRectangle(rect)
    dr.connect()
    drs.append(dr)
line, = ax.plot(np.arange(5), "o", picker=5)
fig.canvas.mpl_connect("pick_event", lambda e: print("picked", e.ind, e.artist is line))
fig.canvas.draw()
x, y = ax.transData.transform((1, 1))
canvas = fig.canvas
canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", canvas, x, y, MouseButton.LEFT))
x2, y2 = ax.transData.transform((2, 2))
canvas.callbacks.process("motion_notify_event", MouseEvent("motion_notify_event", canvas, x2, y2))
canvas.callbacks.process("button_release_event", MouseEvent("button_release_event", canvas, x2, y2, 1))
KeyEvent("key_press_event", canvas, "x", x, y)._process() if hasattr(KeyEvent, "_process") else None
print(rects[1].get_x().round(2), rects[1].get_y().round(2))
drs[0].disconnect()
