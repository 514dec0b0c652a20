import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from typing import Optional


class KMeans:
    def __init__(self, k: int = 3, max_iter: int = 100, tol: float = 1e-6, random_state: Optional[int] = None):
        self.k = k
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _init_centers(self, X, rng):
        centers = [X[rng.integers(len(X))]]
        while len(centers) < self.k:
            d2 = np.min([((X - c) ** 2).sum(axis=1) for c in centers], axis=0)
            centers.append(X[rng.choice(len(X), p=d2 / d2.sum())])
        return np.array(centers)

    def fit(self, X):
        rng = np.random.default_rng(self.random_state)
        self.centers_ = self._init_centers(X, rng)
        self.history_ = []
        for self.n_iter_ in range(1, self.max_iter + 1):
            dist = np.linalg.norm(X[:, None, :] - self.centers_[None, :, :], axis=2)
            self.labels_ = dist.argmin(axis=1)
            self.inertia_ = float((dist.min(axis=1) ** 2).sum())
            self.history_.append(self.inertia_)
            new = np.array([X[self.labels_ == j].mean(axis=0) if np.any(self.labels_ == j) else self.centers_[j] for j in range(self.k)])
            shift = np.abs(new - self.centers_).max()
            self.centers_ = new
            if shift < self.tol:
                break
        return self

    def predict(self, X):
        return np.linalg.norm(X[:, None] - self.centers_, axis=2).argmin(axis=1)


rng = np.random.default_rng(12)
blobs = [rng.normal(loc, 0.5, size=(50, 2)) for loc in ((0, 0), (4, 1), (2, 5))]
X = np.vstack(blobs)
inertias = []
for k in range(1, 7):
    inertias.append(KMeans(k, random_state=0).fit(X).inertia_)
print(np.round(inertias, 1), "elbow at", int(np.argmax(np.diff(inertias, 2))) + 2)
model = KMeans(3, random_state=0).fit(X)
print(model.n_iter_, np.bincount(model.labels_), np.round(sorted(model.centers_.tolist()), 1).tolist())
print(model.predict(np.array([[0, 0.2], [2, 5.2]])).shape, all(a >= b - 1e-9 for a, b in zip(model.history_, model.history_[1:])))
fig, (left, right) = plt.subplots(ncols=2, figsize=(9, 4))
left.scatter(*X.T, c=model.labels_, cmap="viridis", s=12)
left.scatter(*model.centers_.T, marker="X", c="red", s=120, edgecolor="white")
right.plot(range(1, 7), inertias, "o-")
right.set_xlabel("k")
plt.savefig("kmeans.png")
print(hasattr(model, "labels_"), {k: v for k, v in vars(model).items() if not k.endswith("_")})
