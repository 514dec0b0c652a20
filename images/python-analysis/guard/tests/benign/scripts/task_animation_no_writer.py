import numpy as np
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation

fig, ax = plt.subplots()
x = np.linspace(0, 2 * np.pi, 100)
(line,) = ax.plot(x, np.sin(x))
ax.set_ylim(-1.2, 1.2)
title = ax.text(0.5, 1.02, "", transform=ax.transAxes, ha="center")


def init():
    line.set_ydata(np.full_like(x, np.nan))
    return (line, title)


def update(frame):
    line.set_ydata(np.sin(x + frame / 10))
    title.set_text(f"frame {frame}")
    return line, title


anim = FuncAnimation(fig, update, frames=20, init_func=init, interval=50, blit=False, repeat=False)
for frame in (0, 5, 19):
    update(frame)
    fig.savefig(f"wave_{frame:02d}.png", dpi=50)
anim._draw_was_started = True
print("frames drawn, last title:", title.get_text())
print("y at 0: %.4f" % line.get_ydata()[0])
plt.close(fig)
