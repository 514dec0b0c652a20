"""Expression heat map with dendrograms drawn by hand."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.gridspec import GridSpec, GridSpecFromSubplotSpec
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
from scipy.spatial.distance import pdist

rng = np.random.default_rng(2)
genes = [f"gp{i:02d}" for i in range(18)]
samples = [f"{g}{i}" for g in "AB" for i in range(5)]
data = pd.DataFrame(rng.normal(size=(18, 10)), index=genes, columns=samples)
data.iloc[:7, 5:] += 2.5
z = data.sub(data.mean(axis=1), axis=0).div(data.std(axis=1), axis=0)
fig = plt.figure(figsize=(7, 6))
outer = GridSpec(2, 2, width_ratios=[1, 4], height_ratios=[1, 5], wspace=0.02, hspace=0.02, figure=fig)
row_link, col_link = linkage(pdist(z), "average"), linkage(pdist(z.T), "average")
ax_row, ax_col, ax = fig.add_subplot(outer[1, 0]), fig.add_subplot(outer[0, 1]), fig.add_subplot(outer[1, 1])
rows = dendrogram(row_link, orientation="left", ax=ax_row, no_labels=True, color_threshold=0, above_threshold_color="0.3")
cols = dendrogram(col_link, ax=ax_col, no_labels=True, link_color_func=lambda k: "teal")
ordered = z.iloc[rows["leaves"], cols["leaves"]]
im = ax.imshow(ordered, aspect="auto", cmap="PiYG", vmin=-2, vmax=2, origin="lower", interpolation="nearest")
ax.set_xticks(range(len(ordered.columns)), ordered.columns, rotation=60, ha="right", rotation_mode="anchor")
ax.set_yticks(np.arange(len(ordered)), labels=ordered.index, fontsize=6)
ax.yaxis.tick_right()
for a in (ax_row, ax_col):
    a.set_axis_off()
inner = GridSpecFromSubplotSpec(3, 3, subplot_spec=outer[0, 0])
cax = fig.add_subplot(inner[1, 0:2])
fig.colorbar(im, cax=cax, orientation="horizontal", ticks=[-2, 0, 2])
for (i, j), value in np.ndenumerate(ordered.to_numpy()):
    if abs(value) > 1.8:
        ax.text(j, i, "*", ha="center", va="center")
fig.savefig("heat.png", dpi=90)
print(cols["ivl"][:3], fcluster(row_link, 3, "maxclust").tolist(), ax.get_yticklabels()[0].get_text())
