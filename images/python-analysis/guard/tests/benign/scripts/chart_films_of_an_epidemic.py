"""Films of one outbreak: by a function, by a class with its own frames, by prepared pictures, and written as GIF."""
import itertools
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import animation
from matplotlib.lines import Line2D


def outbreak(beta=0.55, gamma=0.2):
    """Yield day and shares until fewer than one in a thousand are ill."""
    well, ill = 0.99, 0.01
    for day in itertools.count():
        yield day, well, ill
        new, over = beta * well * ill, gamma * ill
        well, ill = well - new, ill + new - over
        if ill < 0.001:
            return


class Curve:
    """Called with each frame; keeps the last thirty days."""

    def __init__(self, axes, window=30):
        self.axes, self.window = axes, window
        self.days, self.shares = [], []
        self.line = Line2D([], [], color="darkred", marker=".")
        axes.add_line(self.line)
        axes.set(ylim=(0, 0.5))

    def begin(self):
        self.days.clear()
        self.shares.clear()
        return (self.line,)

    def __call__(self, frame):
        day, _, ill = frame
        self.days.append(day)
        self.shares.append(ill)
        self.days, self.shares = self.days[-self.window:], self.shares[-self.window:]
        self.line.set_data(self.days, self.shares)
        self.axes.set_xlim(self.days[0], self.days[0] + self.window)
        return (self.line,)


class Wards(animation.TimedAnimation):
    """Squares of a ward that turn red one by one."""

    def __init__(self, figure, beds):
        self.grid = np.zeros(beds)
        self.image = figure.add_subplot().imshow(self.grid, vmin=0, vmax=1, cmap="Reds")
        self.order = [divmod(7 * k % self.grid.size, beds[1]) for k in range(self.grid.size)]
        super().__init__(figure, interval=40, repeat=False)

    def new_frame_seq(self):
        return iter(self.order)

    def _init_draw(self):
        self.grid[:] = 0
        self._drawn_artists = [self.image]

    def _draw_frame(self, framedata):
        self.grid[framedata] = 1
        self.image.set_data(self.grid)
        self._drawn_artists = [self.image]


fig, ax = plt.subplots(figsize=(2, 2))
curve = Curve(ax)
film = animation.FuncAnimation(fig, curve, frames=outbreak, init_func=curve.begin, save_count=25, blit=True, cache_frame_data=False)
film.save("outbreak.gif", writer=animation.PillowWriter(fps=8), dpi=40)
print(Path("outbreak.gif").read_bytes()[:6], len(curve.days), round(max(curve.shares), 3))
other = plt.figure(figsize=(2, 2))
wards = Wards(other, (3, 5))
wards.save("wards.gif", writer="pillow", fps=4, dpi=30)
print(int(wards.grid.sum()), issubclass(Wards, animation.Animation), Path("wards.gif").stat().st_size > 100)
third, ax3 = plt.subplots(figsize=(2, 2))
sheets = [[ax3.imshow(np.eye(4) * level, vmin=0, vmax=1, animated=True), ax3.text(0, 0, f"{level:.1f}")] for level in (0.2, 0.6, 1.0)]
prepared = animation.ArtistAnimation(third, sheets, interval=100, blit=True, repeat_delay=500)
print(prepared.to_jshtml(fps=3).count("frames[") >= 3, len(list(prepared.new_frame_seq())))
prepared.pause()
prepared.resume()
print(animation.writers.is_available("pillow"), "pillow" in animation.writers.list())
fig.canvas.mpl_connect("close_event", lambda event: print("closed"))
plt.close("all")
