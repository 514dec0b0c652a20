"""An ore body in three dimensions: surface, scatter, wireframe, view angles."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cm
from matplotlib.colors import LightSource
from mpl_toolkits.mplot3d import Axes3D
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

rng = np.random.default_rng(41)
u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 40), np.linspace(0, np.pi, 20))
radius = 1 + 0.15 * np.sin(3 * u) * np.sin(v)
X, Y, Z = radius * np.cos(u) * np.sin(v), radius * np.sin(u) * np.sin(v), 0.6 * radius * np.cos(v)
fig = plt.figure(figsize=(9, 4))
ax = fig.add_subplot(121, projection="3d")
shade = LightSource(300, 35).shade(Z, cmap=cm.copper, vert_exag=0.2, blend_mode="soft")
ax.plot_surface(X, Y, Z, facecolors=shade, rstride=1, cstride=1, linewidth=0, antialiased=False)
ax.contour(X, Y, Z, zdir="z", offset=-1.2, levels=6, cmap="viridis")
ax.set_zlim(-1.2, 1)
ax.set_box_aspect((1, 1, 0.6))
ax.view_init(elev=24, azim=-50, roll=3)
holes = fig.add_subplot(1, 2, 2, projection="3d", proj_type="ortho")
starts = np.c_[rng.uniform(-1, 1, (12, 2)), np.ones(12)]
ends = starts + np.c_[rng.normal(0, 0.2, (12, 2)), -2 * np.ones(12)]
holes.add_collection3d(Line3DCollection(np.stack([starts, ends], axis=1), colors="k", linewidths=0.6))
grade = rng.lognormal(0, 0.5, 60)
pts = starts[rng.integers(0, 12, 60)] + np.c_[rng.normal(0, 0.1, (60, 2)), -rng.uniform(0, 2, 60)]
dots = holes.scatter(*pts.T, c=grade, s=10 * grade, cmap="plasma", depthshade=False)
box = Poly3DCollection([[(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)]], alpha=0.15, facecolor="g")
holes.add_collection3d(box)
fig.colorbar(dots, ax=holes, pad=0.1, label="g/t")
holes.set(xlabel="east", ylabel="north", zlabel="depth", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), zlim=(-1.2, 1.2))
holes.xaxis.pane.set_facecolor("w")
holes.grid(False)
fig.savefig(OUTPUT / "ore.png", dpi=80)
print(isinstance(ax, Axes3D), ax.elev, ax.azim, grade.max().round(2), holes.get_zlabel(), shade.shape)
