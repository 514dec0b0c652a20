import numpy as np
import matplotlib.pyplot as plt
from matplotlib.backend_bases import PickEvent, MouseEvent, MouseButton, KeyEvent

t = np.linspace(0, 1)
fig, ax = plt.subplots()
(line1,) = ax.plot(t, 2 * np.sin(2 * np.pi * t), lw=2, label="1 Hz")
(line2,) = ax.plot(t, 4 * np.sin(4 * np.pi * t), lw=2, label="2 Hz")
leg = ax.legend(fancybox=True, shadow=True)
map_legend_to_ax = {}
for legend_line, ax_line in zip(leg.get_lines(), [line1, line2]):
    legend_line.set_picker(5)
    map_legend_to_ax[legend_line] = ax_line

def on_pick(event):
    legend_line = event.artist
    if legend_line not in map_legend_to_ax:
        return
    ax_line = map_legend_to_ax[legend_line]
    visible = not ax_line.get_visible()
    ax_line.set_visible(visible)
    legend_line.set_alpha(1.0 if visible else 0.2)
    fig.canvas.draw()
    print("picked", ax_line.get_label(), visible, event.mouseevent.button)

cid = fig.canvas.mpl_connect("pick_event", on_pick)
fig.canvas.draw()
x, y = leg.get_lines()[0].get_window_extent().get_points().mean(axis=0)
ev = MouseEvent("button_press_event", fig.canvas, x, y, MouseButton.LEFT)
fig.canvas.callbacks.process("button_press_event", ev)
fig.pick(ev)
fig.canvas.mpl_disconnect(cid)
print(line1.get_visible(), ev.inaxes is ax, leg.get_draggable(), ax.pickable(), line1.get_picker())
def onpick(artist, mouseevent):
    return True, dict(ind=[1, 2])
line2.set_picker(onpick)
print(line2.contains(ev)[0], leg.contains(ev)[0])
