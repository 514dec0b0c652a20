from collections import Counter

import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
import numpy as np


def knn_predict(X_train, y_train, X, k=5):
    d = ((X[:, None, :] - X_train[None, :, :]) ** 2).sum(axis=2)
    nearest = np.argpartition(d, k, axis=1)[:, :k]
    return np.array([Counter(y_train[row].tolist()).most_common(1)[0][0] for row in nearest])


rng = np.random.default_rng(11)
n = 80
theta = np.concatenate([rng.uniform(0, np.pi, n), rng.uniform(np.pi, 2 * np.pi, n)])
X = np.c_[np.cos(theta) + np.repeat([0, 1], n), np.sin(theta) + np.repeat([0, 0.5], n)] + rng.normal(0, 0.15, (2 * n, 2))
y = np.repeat([0, 1], n)
order = rng.permutation(2 * n)
train, test = order[:120], order[120:]
for k in (1, 5, 15):
    acc = (knn_predict(X[train], y[train], X[test], k) == y[test]).mean()
    print(f"k={k:<3} accuracy {acc:.3f}")

xx, yy = np.meshgrid(np.linspace(-1.5, 2.5, 60), np.linspace(-1, 1.5, 50))
zz = knn_predict(X[train], y[train], np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.pcolormesh(xx, yy, zz, cmap=ListedColormap(["#ffcccc", "#ccccff"]), shading="auto")
plt.scatter(*X[train].T, c=y[train], cmap=ListedColormap(["red", "blue"]), edgecolors="k", s=20)
plt.scatter(*X[test].T, c=y[test], cmap=ListedColormap(["red", "blue"]), marker="x", s=20)
plt.title("k-nearest neighbours")
plt.savefig("knn.png")
print("share of class 1 in the map: %.2f" % zz.mean())
