"""A travelling pulse: FuncAnimation to GIF by Pillow, blitted artists."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from PIL import Image

x = np.linspace(0, 1, 200)
fig, (top, low) = plt.subplots(2, 1, sharex=True, figsize=(4, 3))
line, = top.plot([], [], lw=1.5)
front = top.axvline(0, color="r", ls=":")
text = top.text(0.02, 0.9, "", transform=top.transAxes)
top.set(xlim=(0, 1), ylim=(-0.1, 1.2))
mesh = low.imshow(np.zeros((12, 200)), extent=(0, 1, 0, 1), aspect="auto", vmin=0, vmax=1)
history = np.zeros((12, 200))

def start():
    line.set_data([], [])
    return line, front, text, mesh

def step(k):
    c = 0.1 + 0.07 * k
    u = np.exp(-((x - c) / 0.05) ** 2) / (1 + 0.1 * k)
    history[k] = u
    line.set_data(x, u)
    front.set_xdata([c, c])
    text.set_text(f"t = {k:d}")
    mesh.set_array(history)
    return line, front, text, mesh

film = FuncAnimation(fig, step, frames=12, init_func=start, blit=True, interval=60, repeat=False)
film.save(OUTPUT / "pulse.gif", writer=PillowWriter(fps=12))
with Image.open(OUTPUT / "pulse.gif") as gif:
    print(gif.n_frames, gif.size, gif.info["duration"])
print(history.sum(axis=1).round(2), text.get_text(), front.get_xdata())
html = film.to_jshtml(default_mode="once")
print("<img" in html, len(html) > 1000)
