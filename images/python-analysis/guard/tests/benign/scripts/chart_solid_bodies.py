"""Bodies in three dimensions: a tank that fills, needles with heads, slices, stems, and a turning view."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation
from matplotlib.colors import LightSource
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.ticker import MultipleLocator
from mpl_toolkits.mplot3d import Axes3D, proj3d
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Path3DCollection, Poly3DCollection, Text3D, pathpatch_2d_to_3d


class Needle(FancyArrowPatch):
    """An arrow in space; its depth is that of its tip."""

    def __init__(self, start, end, **kwargs):
        super().__init__((0, 0), (1, 1), arrowstyle="simple", mutation_scale=9, **kwargs)
        self.ends = np.array([start, end], dtype=float)

    def do_3d_projection(self, renderer=None):
        x, y, depth = proj3d.proj_transform(*self.ends.T, self.axes.get_proj())
        self.set_positions((x[0], y[0]), (x[1], y[1]))
        return float(depth[1])


def box(x, y, height):
    corners = np.array([(dx, dy, dz) for dz in (0, height) for dx, dy in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))])
    return [corners[list(face)] for face in ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 5), (0, 3, 7, 4))]


turn, height = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, 2, 9))
radius = 1 + 0.25 * np.sin(height * 3)
fig = plt.figure(figsize=(10, 6))
tank = fig.add_subplot(2, 3, 1, projection="3d", elev=15, azim=40)
shell = tank.plot_surface(radius * np.cos(turn), radius * np.sin(turn), height, facecolors=LightSource(120, 30).shade(height, plt.cm.cividis), rstride=1, cstride=1, shade=False)
tank.add_artist(Needle((0, 0, 0), (0, 0, 2.4), color="red"))
tank.set(xlabel="m", ylabel="m", zlabel="depth", zlim=(0, 2.5))
tank.zaxis.set_major_locator(MultipleLocator(1))
stock = fig.add_subplot(2, 3, 2, projection="3d", proj_type="ortho")
for k, h in enumerate((1.0, 2.5, 1.7)):
    stock.add_collection3d(Poly3DCollection(box(k * 1.5, 0, h), facecolor=f"C{k}", edgecolor="k", alpha=0.6))
stock.set(xlim=(0, 5), ylim=(-1, 2), zlim=(0, 3))
stock.set_box_aspect((5, 3, 3), zoom=0.9)
slices = fig.add_subplot(2, 3, 3, projection="3d")
for place in (0, 1, 2):
    slices.bar(np.arange(4), np.arange(1, 5) * (place + 1), zs=place, zdir="y", alpha=0.7)
slices.stem([0, 1, 2], [2, 1, 0], [5, 9, 7], bottom=0, orientation="z")
wires = fig.add_subplot(2, 3, 4, projection="3d")
wires.plot_wireframe(turn, height, radius, rcount=5, ccount=8)
wires.contour(turn, height, radius, zdir="z", offset=0.5, levels=4)
floor = wires.add_patch(Rectangle((0, 0), 2, 1, fc="0.8"))
pathpatch_2d_to_3d(floor, z=0.5, zdir="z")
points = fig.add_subplot(2, 3, 5, projection="3d", focal_length=0.6)
rng = np.random.default_rng(31)
cloud = points.scatter(*rng.normal(size=(3, 40)), c=np.arange(40), depthshade=True)
path = points.plot(np.cos(turn[0]), np.sin(turn[0]), turn[0] / 6, "k-")[0]
points.quiver(0, 0, 0, [1, 0], [0, 1], [0, 1], length=0.8, normalize=True, arrow_length_ratio=0.2)
label = points.text(0, 0, 1, "pole", zdir="x")
blocks = fig.add_subplot(2, 3, 6, projection="3d").voxels(np.indices((3, 3, 3)).sum(axis=0) % 3 == 0, edgecolor="k")


def spin(frame):
    points.view_init(elev=20, azim=30 * frame, roll=0)
    path.set_data_3d(*(axis[: frame * 5 + 1] for axis in (np.cos(turn[0]), np.sin(turn[0]), turn[0] / 6)))
    return (path,)


FuncAnimation(fig, spin, frames=3, interval=20).save("spin.gif", writer="pillow", fps=2, dpi=20)
fig.canvas.draw()
print(type(shell).__name__, isinstance(cloud, Path3DCollection), isinstance(label, Text3D), len(blocks), floor.__class__.__name__)
print(points.azim, [len(axis) for axis in path.get_data_3d()], tank.get_zlim(), stock.get_proj().shape, isinstance(tank, Axes3D))
lines = Line3DCollection([[(0, 0, 0), (1, 1, 1)]], colors="r")
points.add_collection(lines)
print(points.get_w_lims()[:2] is not None, proj3d.proj_transform(0, 0, 0, np.eye(4)), [label.get_text() for label in tank.get_zticklabels()])
