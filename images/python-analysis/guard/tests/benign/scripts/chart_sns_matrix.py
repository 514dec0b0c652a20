import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from seaborn.matrix import ClusterGrid

rng = np.random.default_rng(3)
M = pd.DataFrame(rng.random((6, 5)), index=list("abcdef"), columns=[f"c{i}" for i in range(5)])
corr = M.corr(); mask = np.tri(5, k=-1, dtype=bool)
fig, axs = plt.subplots(1, 2, figsize=(8, 3))
sns.heatmap(corr, mask=mask, cmap=sns.diverging_palette(150, 300, as_cmap=True), vmax=.8, center=0, square=True, linewidths=.2, cbar_kws={"shrink": .7, "label": "r"}, annot=True, fmt=".2f", annot_kws={"size": 6}, ax=axs[0])
sns.heatmap(M, ax=axs[1], cbar=False, xticklabels=2, yticklabels=False, robust=True, annot=M.map("{:.1f}".format), fmt="")
cg = sns.clustermap(M, method="average", metric="euclidean", z_score=0, row_colors=["r", "g", "b"] * 2, col_cluster=True, figsize=(4, 4), dendrogram_ratio=.2, cbar_pos=(.02, .32, .03, .2), tree_kws=dict(colors="k"))
print(isinstance(cg, ClusterGrid), sorted(cg.dendrogram_row.reordered_ind), cg.data2d.shape, cg.ax_heatmap.get_ylabel(), axs[0].texts[0].get_text(), axs[1].get_xticklabels()[1].get_text())
cg.ax_row_dendrogram.remove(); cg.savefig("cg.png", dpi=40)
print(sns.color_palette("rocket", as_cmap=True).name, sns.color_palette("ch:s=.4,rot=.3", 3).as_hex(), sns.cubehelix_palette(3)[0], sns.light_palette("seagreen", 2)[1], sns.dark_palette("#a84", reverse=True, as_cmap=True).N, sns.blend_palette(["r", "b"], 3)[1], sns.xkcd_palette(["windows blue"])[0], sns.crayon_palette(["Almond"])[0], sns.hls_palette(2), sns.mpl_palette("viridis", 2)[0], sns.desaturate("r", .3), sns.saturate("pink"), sns.set_hls_values("r", l=.3), sns.husl_palette(2, h=.5)[0])
sns.palplot(sns.color_palette("flare")); sns.set_palette("muted"); sns.set_color_codes("deep"); print(plt.rcParams["axes.prop_cycle"].by_key()["color"][0])
