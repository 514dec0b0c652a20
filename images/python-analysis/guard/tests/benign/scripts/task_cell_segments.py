"""Segment synthetic cells with scipy.ndimage and cluster them with scikit-learn."""
import numpy as np
from scipy import ndimage as ndi
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import DBSCAN, KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_score

rng = np.random.default_rng(31)
img = np.zeros((120, 160))
yy, xx = np.mgrid[:120, :160]
for _ in range(14):
    cy, cx, r = rng.integers(10, 110), rng.integers(10, 150), rng.integers(3, 9)
    img += np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * r**2))
img += rng.normal(0, 0.05, img.shape)
smooth = ndi.gaussian_filter(img, 1.5)
mask = ndi.binary_opening(smooth > 0.4, iterations=1)
labels, count = ndi.label(mask)
index = np.arange(1, count + 1)
areas = ndi.sum_labels(mask, labels, index)
centres = np.array(ndi.center_of_mass(smooth, labels, index))
peaks = ndi.maximum(smooth, labels, index)
print(count, int(areas.sum()), np.round(centres[:2], 1).tolist())
features = np.column_stack([areas, peaks, centres])
features = (features - features.mean(0)) / features.std(0)
km = KMeans(3, n_init=5, random_state=0).fit(features)
print(np.bincount(km.labels_).tolist(), round(silhouette_score(features, km.labels_), 3))
tree = fcluster(linkage(features, "ward"), 3, "maxclust")
print(sorted(np.bincount(tree)[1:].tolist()), DBSCAN(eps=1.2, min_samples=2).fit_predict(features).max() >= 0)
pca = PCA(2).fit(features)
print(np.round(pca.explained_variance_ratio_, 3))
slices = ndi.find_objects(labels)
biggest = slices[int(np.argmax(areas))]
print([s.stop - s.start for s in biggest], np.round(np.percentile(areas, [25, 50, 75]), 1))
np.savez_compressed("cells.npz", labels=labels, areas=areas)
with np.load("cells.npz") as back:
    print(back.files, (back["labels"] == labels).all())
np.savetxt("areas.csv", areas, fmt="%d", delimiter=",")
print(np.loadtxt("areas.csv").sum() == areas.sum())
