"""A subclass of TimedAnimation, FuncAnimation to html and jshtml, ArtistAnimation."""
import matplotlib.pyplot as plt
import numpy as np
import matplotlib.animation as animation
from matplotlib.lines import Line2D


class SubplotAnimation(animation.TimedAnimation):
    def __init__(self):
        fig = plt.figure()
        ax1 = fig.add_subplot(1, 2, 1)
        self.t = np.linspace(0, 80, 40)
        self.x = np.cos(2 * np.pi * self.t / 10.)
        self.line1 = Line2D([], [], color="black")
        ax1.add_line(self.line1)
        ax1.set_xlim(-1, 1)
        animation.TimedAnimation.__init__(self, fig, interval=50, blit=True)

    def _draw_frame(self, framedata):
        i = framedata
        self.line1.set_data(self.x[:i], self.t[:i])
        self._drawn_artists = [self.line1]

    def new_frame_seq(self):
        return iter(range(self.t.size))

    def _init_draw(self):
        self.line1.set_data([], [])


ani = SubplotAnimation()
ani.pause()
fig, ax = plt.subplots()
ims = []
for i in range(4):
    im = ax.imshow(np.full((3, 3), i), animated=True)
    ims.append([im])
art = animation.ArtistAnimation(fig, ims, interval=50, blit=True, repeat_delay=1000)
fig3, ax3 = plt.subplots()
(dot,) = ax3.plot([0], [0], "o")
func = animation.FuncAnimation(fig3, lambda k: dot.set_data([k], [k]) or (dot,), frames=range(3), init_func=lambda: (dot,), blit=False, cache_frame_data=False)
writers = animation.writers.list()
print(type(ani).__name__, len(ims), "pillow" in writers or "html" in writers)
func.save("dots.gif", writer=animation.PillowWriter(fps=5))
print(func.to_jshtml()[:10].strip() != "")
