"""Widgets as they stand in a figure that nobody clicks, and a layout of their own."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backend_bases import MouseButton
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import TextPath
from matplotlib.widgets import Button, CheckButtons, RadioButtons, Slider

fig, ax = plt.subplots()
t = np.arange(0.0, 1.0, 0.01)
(wave,) = ax.plot(t, np.sin(6 * np.pi * t))
slider = Slider(fig.add_axes((0.2, 0.02, 0.6, 0.03)), "Freq", 0.1, 30.0, valinit=3, valstep=0.1)
seen = []
slider.on_changed(lambda value: (wave.set_ydata(np.sin(2 * value * np.pi * t)), seen.append(float(value))))
slider.set_val(7.5)
slider.reset()
Button(fig.add_axes((0.8, 0.9, 0.1, 0.05)), "Reset").on_clicked(lambda event: seen.append(event))
radio = RadioButtons(fig.add_axes((0.02, 0.5, 0.12, 0.15)), ("red", "blue"))
radio.on_clicked(lambda label: wave.set_color(label))
radio.set_active(1)
checks = CheckButtons(fig.add_axes((0.02, 0.7, 0.12, 0.15)), ["1 Hz", "2 Hz"], [True, False])
checks.set_active(1)
fig.canvas.mpl_connect("button_press_event", lambda event: event.button is MouseButton.LEFT)
print(seen, wave.get_color(), checks.get_status())
own = Figure(layout=ConstrainedLayoutEngine(h_pad=0.1))
canvas = FigureCanvasAgg(own)
own.subplots().plot([1, 2, 3])
canvas.draw()
print(np.asarray(canvas.buffer_rgba()).shape, findfont(FontProperties(family="DejaVu Sans")).rpartition("/")[2])
print(len(TextPath((0, 0), "ABC", size=12).vertices) > 10)
