import io
import numpy as np
import matplotlib.pyplot as plt
from matplotlib import animation
from matplotlib.animation import FuncAnimation, PillowWriter, HTMLWriter, FFMpegWriter, AbstractMovieWriter, writers

fig, ax = plt.subplots(figsize=(2, 2))
xdata, ydata = [], []
ln, = ax.plot([], [], "ro")

def init():
    ax.set_xlim(0, 2 * np.pi); ax.set_ylim(-1, 1)
    return ln,

def update(frame):
    xdata.append(frame); ydata.append(np.sin(frame))
    ln.set_data(xdata, ydata)
    return ln,

ani = FuncAnimation(fig, update, frames=np.linspace(0, 2 * np.pi, 4), init_func=init, blit=True, repeat=False)
ani.save("movie.gif", writer=PillowWriter(fps=10, metadata=dict(artist="Me"), bitrate=1800))
print(len(xdata) > 4, writers.is_available("pillow"), "pillow" in writers.list())
ani2 = FuncAnimation(fig, update, frames=3, interval=20)
ani2.save("movie2.gif", writer="pillow", fps=5, dpi=40)
print(ani2.to_jshtml()[:60].strip().splitlines()[0], writers["html"] is HTMLWriter)
