"""Contours, tricontour, tripcolor, refine, interp, trifinder."""
import matplotlib.pyplot as plt
import numpy as np
import matplotlib.tri as tri
from matplotlib.tri import CubicTriInterpolator, LinearTriInterpolator, TriAnalyzer, Triangulation, UniformTriRefiner
from matplotlib import ticker
import matplotlib.patheffects

n_angles, n_radii, min_radius = 18, 5, 0.25
radii = np.linspace(min_radius, 0.95, n_radii)
angles = np.linspace(0, 2 * np.pi, n_angles, endpoint=False)
angles = np.repeat(angles[..., np.newaxis], n_radii, axis=1)
angles[:, 1::2] += np.pi / n_angles
x, y = (radii * np.cos(angles)).flatten(), (radii * np.sin(angles)).flatten()
z = (np.cos(radii) * np.cos(3 * angles)).flatten()
triang = tri.Triangulation(x, y)
triang.set_mask(np.hypot(x[triang.triangles].mean(axis=1), y[triang.triangles].mean(axis=1)) < min_radius)
fig, axs = plt.subplots(2, 3)
axs[0, 0].tripcolor(triang, z, shading="flat")
axs[0, 1].tripcolor(triang, z, shading="gouraud")
axs[0, 2].triplot(triang, "bo-", lw=1)
refiner = UniformTriRefiner(triang)
tri_refi, z_refi = refiner.refine_field(z, subdiv=2)
cs = axs[1, 0].tricontourf(tri_refi, z_refi, levels=np.arange(-1, 1, 0.2), cmap="terrain", hatches=["-", "/"])
axs[1, 0].tricontour(triang, z, colors="k", linewidths=0.5)
X, Y = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(-1, 1, 20))
interp = CubicTriInterpolator(triang, z, kind="geom")
(Ex, Ey) = interp.gradient(triang.x, triang.y)
axs[1, 1].quiver(triang.x, triang.y, Ex, Ey, units="xy", scale=10., zorder=3)


def fmt(v):
    s = f"{v:.1f}"
    return rf"{s} \%" if plt.rcParams["text.usetex"] else f"{s} %"


CS = axs[1, 2].contour(X, Y, X ** 2 + Y, levels=[0, 0.5, 1], colors=["r", "g", "b"], linestyles="dashed", negative_linestyles="dotted")
labels = axs[1, 2].clabel(CS, CS.levels, inline=True, fmt=fmt, fontsize=10)
CS.set(path_effects=[matplotlib.patheffects.withTickedStroke(angle=60)])
h, l = cs.legend_elements(variable_name="z")
trifinder = triang.get_trifinder()
print(int(trifinder(0.5, 0.5)) >= 0, len(triang.edges), len(TriAnalyzer(triang).circle_ratios()), len(labels), len(h))
lf = ticker.LogLocator()
axs[1, 2].contourf(X, Y, np.exp(X * 5), locator=ticker.LogLocator(), extend="both")
fig.canvas.draw()
print(np.round(float(LinearTriInterpolator(triang, z)(0.5, 0.1)), 4), CS.levels, [len(p.vertices) > 0 for p in CS.get_paths()])
