import numpy as np
from scipy.spatial import ConvexHull, Delaunay, KDTree, distance
from scipy.spatial.transform import Rotation
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
import matplotlib.pyplot as plt

rng = np.random.default_rng(18)
pts = np.vstack([rng.normal(c, 0.5, (15, 2)) for c in ((0, 0), (4, 0), (2, 4))])
hull = ConvexHull(pts)
tri = Delaunay(pts)
print("hull area %.2f, vertices %d, simplices %d" % (hull.volume, len(hull.vertices), len(tri.simplices)))
print("inside:", (tri.find_simplex([[2, 1.5], [10, 10]]) >= 0).tolist())
d, i = KDTree(pts).query([[0, 0], [4, 0]], k=2)
print(d.round(3).tolist(), len(KDTree(pts).query_ball_point([0, 0], 1.0)))
print(f"{distance.cosine([1, 0], [1, 1]):.4f}", distance.cityblock([1, 2], [4, 6]), f"{distance.jaccard([1, 0, 1], [1, 1, 0]):.3f}")
Z = linkage(pts, "ward")
labels = fcluster(Z, t=3, criterion="maxclust")
print("clusters:", sorted(np.bincount(labels)[1:].tolist()))
r = Rotation.from_euler("z", 90, degrees=True)
print(r.apply([1, 0, 0]).round(6), r.as_quat().round(4), round(float((r * r).magnitude()), 4))
fig, (a, b) = plt.subplots(1, 2, figsize=(10, 4))
a.triplot(*pts.T, tri.simplices, lw=0.5)
for s in hull.simplices:
    a.plot(*pts[s].T, "k-")
info = dendrogram(Z, ax=b, no_labels=True, color_threshold=4)
fig.savefig("spatial.png")
print("leaves:", len(info["leaves"]), distance.squareform(distance.pdist(pts)).shape)
