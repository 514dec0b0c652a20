import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import seaborn as sns
from scipy.cluster.hierarchy import linkage, dendrogram, fcluster, leaves_list
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(2)
factors = rng.normal(size=(80, 2))
load = rng.normal(size=(2, 7))
data = pd.DataFrame(factors @ load + rng.normal(scale=0.5, size=(80, 7)), columns=[f"marker{i}" for i in range(1, 8)])
corr = data.corr()
dist = squareform(1 - corr.abs(), checks=False)
tree = linkage(dist, method="average")
order = leaves_list(tree)
print([corr.columns[i] for i in order], fcluster(tree, 2, criterion="maxclust").max())
strong = corr.where(np.triu(np.ones(corr.shape), k=1).astype(bool)).stack().loc[lambda s: s.abs() > 0.6].sort_values(key=abs, ascending=False)
print(strong.round(2).head(3).to_dict())
scaled = StandardScaler().fit_transform(data)
pca = PCA(n_components=3).fit(scaled)
print(pca.explained_variance_ratio_.round(2), pca.transform(scaled).shape)
fig, axes = plt.subplots(1, 3, figsize=(15, 4))
sns.heatmap(corr.iloc[order, order], annot=True, fmt=".1f", cmap="vlag", center=0, ax=axes[0])
d = dendrogram(tree, labels=corr.columns.tolist(), ax=axes[1], leaf_rotation=90)
axes[2].scatter(*pca.transform(scaled)[:, :2].T, s=10)
for name, (x, y) in zip(data.columns, pca.components_[:2].T):
    axes[2].annotate(name, (3 * x, 3 * y), fontsize=7)
    axes[2].arrow(0, 0, 3 * x, 3 * y, head_width=0.05, color="r")
fig.savefig("corr.png", bbox_inches="tight")
print(d["ivl"] == [corr.columns[i] for i in order], pdist([[0, 0], [3, 4]])[0])
g = sns.pairplot(data.iloc[:, :3], corner=True, diag_kind="hist")
g.savefig("pairs.png", dpi=50)
print(type(g).__name__, len(g.axes))
