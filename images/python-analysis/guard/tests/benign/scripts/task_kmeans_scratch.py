import numpy as np
import matplotlib.pyplot as plt


class KMeans:
    def __init__(self, n_clusters=3, max_iter=100, tol=1e-6, random_state=None):
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X):
        rng = np.random.default_rng(self.random_state)
        centers = [X[rng.integers(len(X))]]
        while len(centers) < self.n_clusters:
            d = np.min([((X - c) ** 2).sum(axis=1) for c in centers], axis=0)
            centers.append(X[rng.choice(len(X), p=d / d.sum())])
        self.cluster_centers_ = np.array(centers)
        for self.n_iter_ in range(1, self.max_iter + 1):
            self.labels_ = self._assign(X)
            new = np.array([X[self.labels_ == k].mean(axis=0) for k in range(self.n_clusters)])
            shift = np.abs(new - self.cluster_centers_).max()
            self.cluster_centers_ = new
            if shift < self.tol:
                break
        self.inertia_ = ((X - self.cluster_centers_[self.labels_]) ** 2).sum()
        return self

    def _assign(self, X):
        return np.linalg.norm(X[:, None] - self.cluster_centers_[None], axis=2).argmin(axis=1)

    predict = _assign


rng = np.random.default_rng(0)
X = np.vstack([rng.normal(c, 0.6, (60, 2)) for c in ((0, 0), (4, 4), (0, 5))])
inertias = [KMeans(k, random_state=1).fit(X).inertia_ for k in range(1, 6)]
print("inertia by k:", np.round(inertias, 1))
km = KMeans(3, random_state=1).fit(X)
print("iterations:", km.n_iter_, "sizes:", sorted(np.bincount(km.labels_).tolist()))
print("centres:", sorted(km.cluster_centers_.round(1).tolist()))
print("prediction consistent:", km.predict(np.array([[4, 4]]))[0] == km.labels_[60])
plt.scatter(*X.T, c=km.labels_, cmap="tab10", s=12)
plt.scatter(*km.cluster_centers_.T, marker="X", s=150, c="black")
plt.savefig("kmeans.png")
