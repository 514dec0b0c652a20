"""3D plots of many kinds."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cm
from matplotlib.colors import LightSource
from matplotlib.ticker import LinearLocator
from mpl_toolkits.mplot3d import Axes3D, art3d, axes3d, proj3d
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection
import mpl_toolkits.mplot3d.art3d as art
from matplotlib.patches import Circle, FancyArrowPatch

X, Y, Z = axes3d.get_test_data(0.2)
fig = plt.figure(figsize=(9, 8))
ax = fig.add_subplot(2, 2, 1, projection="3d")
surf = ax.plot_surface(X, Y, Z, cmap=cm.coolwarm, linewidth=0, antialiased=False, rstride=2, cstride=2)
ax.zaxis.set_major_locator(LinearLocator(10))
ax.zaxis.set_major_formatter("{x:.02f}")
fig.colorbar(surf, shrink=0.5, aspect=5)
ax.contour(X, Y, Z, zdir="z", offset=-100, cmap="coolwarm")
ax.view_init(elev=20., azim=-35, roll=0)
ax2 = fig.add_subplot(2, 2, 2, projection="3d", proj_type="ortho")
filled = np.zeros((3, 3, 3), dtype=bool)
filled[::2, ::2, ::2] = True
vox = ax2.voxels(filled, facecolors="#1f77b430", edgecolor="k")
ax2.quiver(0, 0, 0, 1, 1, 1, length=0.5, normalize=True)
ax2.bar3d([0, 1], [0, 1], np.zeros(2), 0.5, 0.5, [1, 2], shade=True, lightsource=LightSource(10, 45))
ax2.set_box_aspect((4, 4, 3), zoom=0.9)


class Arrow3D(FancyArrowPatch):
    def __init__(self, xs, ys, zs, *args, **kwargs):
        super().__init__((0, 0), (0, 0), *args, **kwargs)
        self._verts3d = xs, ys, zs

    def do_3d_projection(self, renderer=None):
        xs3d, ys3d, zs3d = self._verts3d
        xs, ys, zs = proj3d.proj_transform(xs3d, ys3d, zs3d, self.axes.M)
        self.set_positions((xs[0], ys[0]), (xs[1], ys[1]))
        return np.min(zs)


ax2.add_artist(Arrow3D([0, 1], [0, 1], [0, 1], mutation_scale=20, lw=1, arrowstyle="-|>", color="k"))
ax3 = fig.add_subplot(2, 2, 3, projection="3d")
verts = [list(zip([0, 1, 1, 0], [0, 0, 1, 1], [k] * 4)) for k in range(3)]
ax3.add_collection3d(Poly3DCollection(verts, facecolors="c", alpha=.7))
ax3.add_collection3d(Line3DCollection([[(0, 0, 0), (1, 1, 2)]]))
p = Circle((0.5, 0.5), 0.2)
ax3.add_patch(p)
art3d.pathpatch_2d_to_3d(p, z=0, zdir="x")
ax3.text(0, 0, 0, "red", (1, 1, 0), color="red")
ax3.text2D(0.05, 0.95, "2D", transform=ax3.transAxes)
ax3.stem([0, 1], [0, 1], [1, 2])
ax3.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 2), xlabel="X", zlabel="Z")
ax4 = fig.add_subplot(224, projection="3d", computed_zorder=False)
u = np.linspace(0, 2 * np.pi, 20)
v = np.linspace(-0.5, 0.5, 6)
u, v = np.meshgrid(u, v)
tri = ax4.plot_trisurf(np.cos(u).ravel() * (1 + v.ravel()), np.sin(u).ravel() * (1 + v.ravel()), v.ravel(), cmap=plt.cm.Spectral)
ax4.plot_wireframe(X, Y, Z / 40, rstride=10, cstride=0)
ax4.xaxis.pane.fill = False
ax4.set_axis_off()
fig.canvas.draw()
print(len(vox), ax.elev, ax.get_zlim()[0] < 0, proj3d.proj_transform(0, 0, 0, ax.get_proj())[0] is not None)
