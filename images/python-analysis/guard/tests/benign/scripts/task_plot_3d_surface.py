import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D  # noqa: F401
from matplotlib import cm

X = np.linspace(-3, 3, 40)
Y = np.linspace(-3, 3, 40)
X, Y = np.meshgrid(X, Y)
Z = np.exp(-(X**2 + Y**2) / 3) * np.cos(2 * X)

fig = plt.figure(figsize=(12, 5))
ax = fig.add_subplot(1, 2, 1, projection="3d")
surf = ax.plot_surface(X, Y, Z, cmap=cm.coolwarm, linewidth=0, antialiased=True)
fig.colorbar(surf, shrink=0.5, aspect=10)
ax.set_xlabel("X")
ax.set_ylabel("Y")
ax.set_zlabel("Z")
ax.view_init(elev=30, azim=-60)

ax2 = fig.add_subplot(1, 2, 2, projection="3d")
t = np.linspace(0, 8 * np.pi, 300)
ax2.plot(np.cos(t), np.sin(t), t, lw=1)
ax2.scatter([1, -1], [0, 0], [0, 25], color="red", s=40)
ax2.contour(X, Y, Z, zdir="z", offset=0)
plt.savefig("surface.png")
print("max at", np.unravel_index(Z.argmax(), Z.shape), "value %.4f" % Z.max())
print("elev", ax.elev, "azim", ax.azim, type(ax).__name__)
