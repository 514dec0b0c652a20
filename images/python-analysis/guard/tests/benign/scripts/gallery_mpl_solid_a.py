import numpy as np
import matplotlib.pyplot as plt
from matplotlib import cm
from matplotlib.colors import LightSource
from mpl_toolkits.mplot3d import Axes3D, axes3d, proj3d
from mpl_toolkits.mplot3d.art3d import Poly3DCollection, Line3DCollection, Line3D, Patch3D, Path3DCollection, Text3D, pathpatch_2d_to_3d, patch_2d_to_3d, line_2d_to_3d, text_2d_to_3d, juggle_axes
from matplotlib.patches import FancyArrowPatch, Circle, PathPatch
from matplotlib.text import TextPath

class Arrow3D(FancyArrowPatch):
    def __init__(self, xs, ys, zs, *args, **kwargs):
        super().__init__((0, 0), (0, 0), *args, **kwargs)
        self._verts3d = xs, ys, zs

    def do_3d_projection(self, renderer=None):
        xs3d, ys3d, zs3d = self._verts3d
        xs, ys, zs = proj3d.proj_transform(xs3d, ys3d, zs3d, self.axes.M)
        self.set_positions((xs[0], ys[0]), (xs[1], ys[1]))
        return np.min(zs)

X, Y, Z = axes3d.get_test_data(0.2)
fig = plt.figure(figsize=(10, 6))
ax = fig.add_subplot(2, 3, 1, projection="3d", computed_zorder=False)
s = ax.plot_surface(X, Y, Z, cmap=cm.coolwarm, rstride=4, cstride=4, linewidth=0, antialiased=False, lightsource=LightSource(270, 45))
fig.colorbar(s, shrink=0.5)
ax.add_artist(Arrow3D([0, 10], [0, 10], [0, 10], mutation_scale=20, arrowstyle="-|>"))
a2 = fig.add_subplot(2, 3, 2, projection="3d", proj_type="ortho", elev=20, azim=30)
a2.contour(X, Y, Z, zdir="z", offset=-100, cmap="coolwarm"); a2.contourf(X, Y, Z, zdir="x", offset=-40)
a2.plot_wireframe(X, Y, Z, rcount=5, ccount=5); a2.set(xlim=(-40, 40), zlim=(-100, 100), zlabel="Z")
a3 = fig.add_subplot(2, 3, 3, projection="3d")
n = np.zeros((2, 2, 2), bool); n[0, 0, 0] = n[1, 1, 1] = True
v = a3.voxels(n, facecolors=np.where(n, "#FFD65DC0", "#7A88CCC0"), edgecolor="k"); print(sorted(v))
a4 = fig.add_subplot(2, 3, 4, projection="3d")
a4.bar3d([0, 1], [0, 1], 0, 1, 1, [2, 3], shade=True, color=["r", "b"]); a4.bar([1, 2], [3, 4], zs=3, zdir="y", alpha=0.8)
a4.stem([1, 2], [1, 2], [3, 4], bottom=1); a4.errorbar([1], [1], [1], zerr=0.3); a4.quiver(0, 0, 0, 1, 1, 1, length=0.5, normalize=True)
a5 = fig.add_subplot(2, 3, 5, projection="3d")
p = Circle((5, 5), 3); a5.add_patch(p); pathpatch_2d_to_3d(p, z=0, zdir="x")
poly = Poly3DCollection([[(0, 0, 0), (1, 0, 0), (0, 1, 1)]], alpha=0.5, facecolors="c", shade=True, edgecolors="k"); a5.add_collection3d(poly)
a5.text(1, 1, 1, "txt", zdir=(1, 1, 0)); a5.text2D(0.05, 0.95, "2D", transform=a5.transAxes); a5.set_box_aspect((4, 4, 3), zoom=0.9); a5.view_init(30, 30, roll=15)
a6 = fig.add_subplot(2, 3, 6, projection="3d")
sc = a6.scatter(*np.random.RandomState(0).rand(3, 10), c=np.arange(10), depthshade=False); a6.plot_trisurf([0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]); a6.add_collection(Line3DCollection([[(0, 0, 0), (1, 1, 1)]])); a6.fill_between([0, 1], [0, 1], [0, 1], [0, 1], [1, 1], 1) if hasattr(a6, "fill_between") else None
sc._offsets3d = ([0.5] * 10, [0.5] * 10, np.arange(10))
a6.xaxis.pane.fill = False; a6.zaxis.set_rotate_label(False); a6.set_axis_off(); a6.xaxis.set_pane_color((1, 1, 1, 0))
fig.canvas.draw()
x2, y2, _ = proj3d.proj_transform(1, 1, 1, a6.get_proj())
print(isinstance(poly, Poly3DCollection), s.get_facecolor().shape, np.round(a6.M.shape, 2), a5.elev, a6.get_zlim(), np.isfinite(x2), isinstance(ax, Axes3D), sc.get_depthshade() if hasattr(sc, "get_depthshade") else 0)
