"""Ground water between wells: triangles, interpolation, gradients, contours and streams."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import ticker, tri
from matplotlib.tri import CubicTriInterpolator, LinearTriInterpolator, TriAnalyzer, Triangulation, UniformTriRefiner

rng = np.random.default_rng(1207)
east, north = rng.uniform(0, 12, 70), rng.uniform(0, 8, 70)
level = 100 - 0.8 * east + 0.5 * np.sin(north) + 0.02 * east * north
mesh = Triangulation(east, north)
analyser = TriAnalyzer(mesh)
mesh.set_mask(analyser.get_flat_tri_mask(min_circle_ratio=0.08))
print(mesh.triangles.shape[1], bool(mesh.mask.sum() < len(mesh.triangles) / 3), mesh.neighbors.shape[1], mesh.edges.shape[1])
print(round(float(analyser.circle_ratios(rescale=False).max()), 2) <= 0.5, analyser.scale_factors[0] > 0)
finder = mesh.get_trifinder()
print(int(finder(-5.0, -5.0)), finder([6.0, 6.5], [4.0, 4.2]).shape)
plane, smooth = LinearTriInterpolator(mesh, level), CubicTriInterpolator(mesh, level, kind="min_E")
print(round(float(plane(6, 4)), 1), abs(float(smooth(6, 4)) - float(plane(6, 4))) < 1)
slope_east, slope_north = smooth.gradient(east, north)
finer, refined = UniformTriRefiner(mesh).refine_field(level, triinterpolator=smooth, subdiv=2)
fig, axes = plt.subplots(2, 2, figsize=(8, 6))
axes[0, 0].triplot(mesh, "k.-", lw=0.4)
filled = axes[0, 1].tricontourf(finer, refined, levels=8, cmap="Blues_r", hatches=["", "..", "//"], extend="both")
lines = axes[0, 1].tricontour(finer, refined, levels=[92, 95, 98], colors="k", linestyles=["-", "--", ":"])
axes[0, 1].clabel(lines, fmt={92: "low", 95: "mean", 98: "high"}, inline=True, fontsize=7)
fig.colorbar(filled, ax=axes[0, 1], ticks=ticker.MaxNLocator(4), format="%.0f m", drawedges=True).add_lines(lines)
axes[1, 0].tripcolor(mesh, level, shading="gouraud", cmap="viridis")
axes[1, 0].quiver(east, north, -slope_east, -slope_north, angles="xy", scale=25, width=0.004, headlength=4)
axes[1, 1].tripcolor(east, north, facecolors=np.arange(len(tri.Triangulation(east, north).triangles)), edgecolors="w")
gx, gy = np.meshgrid(np.linspace(2, 10, 12), np.linspace(2, 6, 9))
flow = axes[1, 1].streamplot(gx, gy, -np.ones_like(gx), 0.3 * np.cos(gy), density=0.4, arrowstyle="fancy", integration_direction="forward")
contour = axes[1, 1].contour(gx, gy, np.ma.masked_invalid(plane(gx, gy)), 4, negative_linestyles="dashdot", algorithm="serial", corner_mask=True)
fig.canvas.draw()
print(lines.levels.tolist(), len(contour.allsegs) == len(contour.levels), contour.zmin < contour.zmax, type(flow.lines).__name__)
print([text.get_text() for text in lines.labelTexts][:1], filled.get_clim()[0] < 95, contour.find_nearest_contour(5, 4, pixel=False)[0] >= 0)
cells = tri.Triangulation([0, 1, 1, 0], [0, 0, 1, 1], [[0, 1, 2], [0, 2, 3]])
print(cells.calculate_plane_coefficients(np.array([0.0, 1.0, 2.0, 1.0])).round(6).tolist(), cells.get_masked_triangles().tolist())
