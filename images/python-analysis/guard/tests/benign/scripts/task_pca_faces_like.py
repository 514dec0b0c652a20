import numpy as np
import matplotlib.pyplot as plt


class PCA:
    def __init__(self, n_components):
        self.n_components = n_components

    def fit_transform(self, X):
        self.mean_ = X.mean(axis=0)
        U, S, Vt = np.linalg.svd(X - self.mean_, full_matrices=False)
        signs = np.sign(Vt[np.arange(len(Vt)), np.abs(Vt).argmax(axis=1)])
        self.components_ = (Vt * signs[:, None])[: self.n_components]
        var = S**2 / (len(X) - 1)
        self.explained_variance_ratio_ = (var / var.sum())[: self.n_components]
        return (X - self.mean_) @ self.components_.T

    def inverse_transform(self, Z):
        return Z @ self.components_ + self.mean_


rng = np.random.default_rng(16)
latent = rng.normal(size=(100, 2))
X = latent @ rng.normal(size=(2, 16)) + 0.1 * rng.normal(size=(100, 16))
pca = PCA(3)
Z = pca.fit_transform(X)
print("explained:", pca.explained_variance_ratio_.round(3))
for k in (1, 2, 3):
    p = PCA(k)
    err = np.mean((p.inverse_transform(p.fit_transform(X)) - X) ** 2)
    print(f"k={k}: reconstruction error {err:.4f}")
print("scores uncorrelated:", bool(np.allclose(np.corrcoef(Z.T), np.eye(3), atol=1e-8)))
fig, axes = plt.subplots(1, 4, figsize=(10, 2.5), subplot_kw={"xticks": [], "yticks": []})
axes[0].scatter(Z[:, 0], Z[:, 1], s=5)
for ax, comp in zip(axes[1:], pca.components_):
    ax.matshow(comp.reshape(4, 4), cmap="PuOr")
plt.savefig("pca.png")
