"""Multicoloured lines, event rasters, stair plots, spines at zero, arrows on axes ends."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.markers import MarkerStyle
from mpl_toolkits.axisartist.axislines import AxesZero

rng = np.random.default_rng(71)
t = np.linspace(0, 6 * np.pi, 600)
fig = plt.figure(figsize=(10, 7))
a = fig.add_subplot(2, 2, 1)
pts = np.c_[t, np.sin(t) * np.exp(-t / 12)].reshape(-1, 1, 2)
lc = LineCollection(np.concatenate([pts[:-1], pts[1:]], axis=1), cmap="twilight", norm=plt.Normalize(0, 2 * np.pi), capstyle="round")
lc.set_array(t % (2 * np.pi))
lc.set_linewidth(1 + 3 * np.exp(-t / 6))
a.add_collection(lc)
a.set_xlim(t[0], t[-1]); a.set_ylim(-1.1, 1.1)
b = fig.add_subplot(2, 2, 2)
trains = [np.sort(rng.uniform(0, 2, rng.poisson(n))) for n in (20, 40, 60)]
b.eventplot(trains, colors=["C0", "C1", "k"], lineoffsets=[1, 2, 3], linelengths=0.7)
rate, edges = np.histogram(np.concatenate(trains), np.linspace(0, 2, 21))
over = b.twinx()
over.stairs(rate, edges, fill=True, alpha=0.2, baseline=0)
c = fig.add_subplot(2, 2, 3, axes_class=AxesZero)
for side in ("xzero", "yzero"):
    c.axis[side].set_axisline_style("-|>")
    c.axis[side].set_visible(True)
for side in ("left", "right", "bottom", "top"):
    c.axis[side].set_visible(False)
x = np.linspace(-2, 2, 81)
c.plot(x, x ** 3 - x, markevery=10, marker=MarkerStyle("o", fillstyle="left"), ms=8)
d = fig.add_subplot(2, 2, 4)
for k, style in enumerate([(0, (1, 1)), (0, (5, 1)), (0, (3, 1, 1, 1)), "solid"]):
    d.plot(x, np.tanh(x * (k + 1)), linestyle=style, marker=f"${k}$", markevery=(k, 12), drawstyle=["default", "steps-mid"][k % 2], dash_capstyle="round")
d.spines[["left", "bottom"]].set_position("zero")
d.spines[["top", "right"]].set_visible(False)
d.plot(1, 0, ">k", transform=d.get_yaxis_transform(), clip_on=False)
d.plot(0, 1, "^k", transform=d.get_xaxis_transform(), clip_on=False)
d.streamplot(*np.meshgrid(np.linspace(-2, 2, 10), np.linspace(-1, 1, 10)), np.ones((10, 10)), np.cos(np.linspace(-2, 2, 10))[None].repeat(10, 0), density=0.4, color="0.8", zorder=0)
fig.tight_layout()
fig.savefig("lines.png")
print(lc.get_segments()[0].round(3).tolist(), rate.sum(), [len(s) for s in trains], len(d.lines))
