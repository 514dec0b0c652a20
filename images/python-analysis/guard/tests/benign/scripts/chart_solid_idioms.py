import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D  # noqa

fig = plt.figure()
ax = fig.add_subplot(projection="3d")
u, v = np.mgrid[0:2 * np.pi:20j, 0:np.pi:10j]
surf = ax.plot_surface(np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v), color="r", alpha=0.4, label="sphere")
surf._facecolors2d = surf._facecolor3d
surf._edgecolors2d = surf._edgecolor3d
ax.legend()
ax.xaxis._axinfo["grid"]["color"] = (1, 1, 1, 0)
ax.zaxis._axinfo["juggled"] = (1, 2, 0)
for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
    axis.pane.set_edgecolor("w")
    axis.line.set_color("r")
ax.set_aspect("equal")
ax.set_zticks([])
fig.canvas.draw()
print(ax.get_legend().get_texts()[0].get_text(), ax.get_w_lims() if hasattr(ax, "get_w_lims") else 0, ax._dist if hasattr(ax, "_dist") else "nodist")
