import numpy as np
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation
from matplotlib.widgets import Slider
def update_lines(num, walks, lines):
    for line, walk in zip(lines, walks): line.set_data_3d(walk[:num, :].T)
    return lines
walks = [np.cumsum(np.random.default_rng(i).uniform(-.05, .05, (10, 3)), axis=0) for i in range(4)]; fig = plt.figure(); ax = fig.add_subplot(projection="3d"); lines = [ax.plot([], [], [])[0] for _ in walks]; ax.set(xlim3d=(0, 1), xlabel="X"); ani = FuncAnimation(fig, update_lines, 10, fargs=(walks, lines), interval=100); ani.save("w.gif", writer="pillow", dpi=20, fps=3); print(len(lines[0].get_data_3d()[0]))
wf = None; f2 = plt.figure(); a2 = f2.add_subplot(projection="3d"); X, Y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 8))
for phi in np.linspace(0, 1, 3):
    if wf: wf.remove()
    wf = a2.plot_wireframe(X, Y, np.cos(2 * np.pi * X + phi) * (1 - np.hypot(X, Y)), rstride=2, cstride=2); plt.pause(.001)
s = Slider(f2.add_axes([.1, .02, .8, .03]), "azim", 0, 360, valinit=10); s.on_changed(lambda v: a2.view_init(azim=v)); s.set_val(50); print(a2.azim, len(a2.collections))
