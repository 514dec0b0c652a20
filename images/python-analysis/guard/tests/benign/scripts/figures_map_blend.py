"""Terrain: hillshade blending, contour labels, cross section along a drawn line."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cm
from matplotlib.colors import BoundaryNorm, LightSource, LinearSegmentedColormap, ListedColormap, SymLogNorm, rgb_to_hsv, hsv_to_rgb
from scipy.ndimage import gaussian_filter, map_coordinates, zoom

rng = np.random.default_rng(66)
z = sum(zoom(rng.normal(size=(n, n)), 128 / n, order=3)[:128, :128] * 300 / k for k, n in enumerate((4, 8, 16, 32), 1))
z = gaussian_filter(z, 1.5)
sea = LinearSegmentedColormap.from_list("sea", ["midnightblue", "skyblue"])(np.linspace(0, 1, 64))
land = cm.terrain(np.linspace(0.25, 1, 128))
both = ListedColormap(np.vstack([sea, land]), name="relief")
ls = LightSource(azdeg=315, altdeg=40)
fig, axs = plt.subplot_mosaic("AB;CC", figsize=(8, 7), height_ratios=[2, 1])
edges = np.r_[np.linspace(z.min(), 0, 65), np.linspace(0, z.max(), 129)[1:]]
norm = BoundaryNorm(edges, both.N)
axs["A"].imshow(ls.shade(z, both, norm=norm, blend_mode="overlay", vert_exag=0.02, dx=30, dy=30), origin="lower")
shade = ls.hillshade(z, vert_exag=0.05)
axs["B"].imshow(shade, cmap="gray", origin="lower")
cs = axs["B"].contour(z, levels=[-200, 0, 200, 400], colors=["b", "k", "g", "r"], linewidths=[0.5, 1.5, 0.5, 0.5])
axs["B"].clabel(cs, cs.levels[1::2], fmt={0: "coast", 400: "400 m"}, fontsize=7)
path = np.array([[10, 15], [60, 90], [120, 70]])
t = np.concatenate([np.linspace(0, 1, 60), 1 + np.linspace(0, 1, 60)])
xs, ys = (np.interp(t, [0, 1, 2], path[:, k]) for k in (0, 1))
profile = map_coordinates(z, [ys, xs], order=1)
axs["A"].plot(xs, ys, "w--", lw=1)
axs["A"].plot(*path.T, "wo", mfc="none")
dist = np.r_[0, np.hypot(np.diff(xs), np.diff(ys)).cumsum()] * 30
axs["C"].fill_between(dist, profile, profile.min() - 50, where=profile >= 0, color="tan", interpolate=True)
axs["C"].fill_between(dist, profile, 0, where=profile < 0, color="skyblue", interpolate=True)
axs["C"].plot(dist, profile, "k", lw=0.8)
axs["C"].set(xlabel="m", ylabel="height", xmargin=0)
gy, gx = np.gradient(z)
q = axs["B"].quiver(*np.mgrid[4:128:12, 4:128:12][::-1], -gx[4::12, 4::12], -gy[4::12, 4::12], scale=400, width=0.004, color="orange")
axs["B"].quiverkey(q, 0.8, 1.03, 20, "steep", labelpos="E")
sl = fig.colorbar(cm.ScalarMappable(SymLogNorm(10, vmin=-500, vmax=500), "RdBu"), ax=list(axs.values()), shrink=0.5)
hsv = rgb_to_hsv(both(np.linspace(0, 1, 5))[:, :3])
print(np.allclose(hsv_to_rgb(hsv), both(np.linspace(0, 1, 5))[:, :3]), profile.round(0)[:3], both.N, len(cs.allsegs), sl.norm.linthresh)
fig.savefig("terrain.png", dpi=70)
