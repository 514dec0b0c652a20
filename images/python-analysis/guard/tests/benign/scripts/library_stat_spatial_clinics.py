# # Clinics and villages
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy.spatial import cKDTree, KDTree, distance, distance_matrix, ConvexHull, Delaunay, Voronoi, voronoi_plot_2d, convex_hull_plot_2d, delaunay_plot_2d, procrustes, SphericalVoronoi, HalfspaceIntersection
from scipy.spatial.transform import Rotation as R
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.cluster.hierarchy import linkage, dendrogram, fcluster, cophenet, leaves_list, cut_tree, set_link_color_palette, inconsistent
from scipy.cluster.vq import kmeans2, whiten, vq

rng = np.random.default_rng(18)
vil = pd.DataFrame(rng.uniform(0, 50, (80, 2)), columns=["x", "y"], index=[f"v{i}" for i in range(80)])
vil["people"] = rng.integers(100, 3000, 80)
cli = pd.DataFrame(rng.uniform(5, 45, (6, 2)), columns=["x", "y"], index=list("ABCDEF"))
tree = cKDTree(cli[["x", "y"]])
dist, who = tree.query(vil[["x", "y"]], k=2)
vil["clinic"], vil["km"], vil["second"] = cli.index[who[:, 0]], dist[:, 0], dist[:, 1]
print(vil.groupby("clinic").agg(villages=("km", "size"), people=("people", "sum"), mean_km=("km", "mean"), worst=("km", "max")).round(1))
print("within 10 km:", len(tree.query_ball_point([25, 25], 10)), KDTree(vil[["x", "y"]]).count_neighbors(tree, 10), len(KDTree(vil[["x", "y"]]).query_pairs(2)))
D = squareform(pdist(vil[["x", "y"]]))
print(D.shape, np.allclose(D, distance_matrix(vil[["x", "y"]], vil[["x", "y"]])), distance.cosine([1, 0], [1, 1]).round(4))
W = (D < 8) & (D > 0)
z = vil.km - vil.km.mean()
I = len(vil) / W.sum() * (W * np.outer(z, z)).sum() / (z ** 2).sum()
perm = [len(vil) / W.sum() * (W * np.outer(q, q)).sum() / (q ** 2).sum() for q in (rng.permutation(z) for _ in range(199))]
print(f"Moran I {I:.3f} p {(1 + sum(p >= I for p in perm)) / 200:.3f}")
hull = ConvexHull(vil[["x", "y"]])
print("area", np.round(hull.volume, 1), "perimeter", np.round(hull.area, 1), len(hull.vertices))
tri = Delaunay(vil[["x", "y"]].values)
print(tri.simplices.shape, tri.find_simplex([[25, 25], [100, 100]]) >= 0)
vor = Voronoi(cli[["x", "y"]].values)
print(len(vor.regions), vor.vertices.shape)
fig, ax = plt.subplots(1, 3, figsize=(12, 4))
voronoi_plot_2d(vor, ax=ax[0], show_vertices=False)
ax[0].scatter(vil.x, vil.y, s=vil.people / 60, alpha=.5)
delaunay_plot_2d(tri, ax=ax[1])
Z = linkage(vil[["x", "y"]], "ward")
cl = fcluster(Z, t=5, criterion="maxclust")
print(np.bincount(cl)[1:], cophenet(Z, pdist(vil[["x", "y"]]))[0].round(3), leaves_list(Z)[:5], cut_tree(Z, 3).ravel()[:5], inconsistent(Z)[-1].round(2))
set_link_color_palette(["c", "m", "y"])
dd = dendrogram(Z, ax=ax[2], no_labels=True, color_threshold=40)
print(len(dd["ivl"]))
cent, lab = kmeans2(whiten(vil[["x", "y"]]), 4, seed=1, minit="++")
print(cent.shape, np.bincount(lab).sum())
m1, m2, disp = procrustes(cli.values, R.from_euler("z", 30, degrees=True).apply(np.c_[cli.values, np.zeros(6)])[:, :2])
print(round(disp, 8), R.from_rotvec([0, 0, np.pi / 2]).as_matrix().round(2).tolist())
lat, lon = np.radians(47 + vil.y / 111), np.radians(8 + vil.x / 75)
def haversine(a, b):
    h = np.sin((b[0] - a[0]) / 2) ** 2 + np.cos(a[0]) * np.cos(b[0]) * np.sin((b[1] - a[1]) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(h))
g = cdist(np.c_[lat, lon][:3], np.c_[lat, lon][:3], metric=haversine)
print(g.round(1))
