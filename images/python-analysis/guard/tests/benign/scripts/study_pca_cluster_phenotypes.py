import numpy as np
import pandas as pd
from scipy.cluster.vq import kmeans2, whiten
from scipy.stats import kruskal
from statsmodels.multivariate.pca import PCA
import matplotlib.pyplot as plt

features = visits.groupby("patient_id")[["sbp", "dbp", "hr", "weight"]].mean()
z = (features - features.mean()) / features.std(ddof=0)
u, s, vt = np.linalg.svd(z.values, full_matrices=False)
explained = s**2 / (s**2).sum()
print("explained:", np.round(explained, 3), "cumulative:", np.round(explained.cumsum(), 3))
scores = pd.DataFrame(u[:, :2] * s[:2], index=z.index, columns=["PC1", "PC2"])
loadings = pd.DataFrame(np.abs(vt[:2].T), index=z.columns, columns=["PC1", "PC2"])
print(loadings.round(2))
pc = PCA(features, ncomp=2, standardize=True)
print("same eigenvalues:", bool(np.allclose(pc.eigenvals.to_numpy()[:2], s[:2] ** 2)))

centroid, label = kmeans2(whiten(features.values), 3, seed=3, minit="++")
scores["cluster"] = label
sizes = scores["cluster"].value_counts()
print("cluster sizes:", sorted(sizes.tolist()))
merged = scores.join(patients.set_index("patient_id")["age"]).dropna()
h, p = kruskal(*[g["age"] for _, g in merged.groupby("cluster")])
print(f"age by cluster: H={h:.2f} p={p:.3f}")

fig, ax = plt.subplots()
for k, g in scores.groupby("cluster"):
    ax.scatter(g["PC1"], g["PC2"], label=f"phenotype {k + 1} (n={len(g)})", s=18)
for name, row in pd.DataFrame(vt[:2].T, index=z.columns).iterrows():
    ax.arrow(0, 0, 2 * row[0], 2 * row[1], head_width=0.08, color="k")
    ax.annotate(name, (2.2 * row[0], 2.2 * row[1]))
ax.legend()
fig.savefig(OUTPUT / "phenotypes.png")
