import numpy as np
import matplotlib.pyplot as plt
import matplotlib.tri as tri

y, x = np.mgrid[-2:2:20j, -2:2:20j]
u, v = -y, x - 0.3 * y
speed = np.hypot(u, v)

fig, axes = plt.subplots(2, 2, figsize=(9, 8))
q = axes[0, 0].quiver(x, y, u, v, speed, cmap="autumn")
axes[0, 0].quiverkey(q, 0.9, 1.05, 2, "2 m/s")
strm = axes[0, 1].streamplot(x, y, u, v, color=speed, linewidth=1, density=0.8)
fig.colorbar(strm.lines, ax=axes[0, 1])
cs = axes[1, 0].contour(x, y, speed, levels=[0.5, 1, 1.5, 2])
axes[1, 0].clabel(cs, fmt="%.1f")
rng = np.random.default_rng(0)
px, py = rng.uniform(-2, 2, (2, 80))
t = tri.Triangulation(px, py)
axes[1, 1].tricontourf(t, px**2 + py**2, levels=8)
axes[1, 1].triplot(t, "k-", lw=0.3)
fig.savefig("fields.png")
div = np.gradient(u, axis=1) + np.gradient(v, axis=0)
print("divergence constant:", bool(np.allclose(div, div[0, 0])), "levels:", cs.levels.tolist(), "triangles > 100:", len(t.triangles) > 100)
fig2, ax = plt.subplots()
ax.barbs([0, 1], [0, 1], [10, 20], [5, 15])
ax.spy(np.eye(4))
ax.stackplot([1, 2, 3], [1, 2, 3], [3, 2, 1], labels=["a", "b"])
ax.eventplot([[1, 2, 4], [2, 3]])
ax.broken_barh([(1, 2), (5, 1)], (0, 1))
fig2.savefig("misc.png")
