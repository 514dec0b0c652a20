import numpy as np
import matplotlib.pyplot as plt
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D

wide = visits.pivot(index="patient_id", columns="visit", values="sbp")
arm = patients.set_index("patient_id")["arm"]
palette = {"active": "#1b9e77", "placebo": "#d95f02"}

fig = plt.figure(figsize=(10, 6))
gs = GridSpec(2, 3, figure=fig, width_ratios=[2, 2, 1], hspace=0.3)
ax1 = fig.add_subplot(gs[:, 0])
for pid, row in wide.iterrows():
    ax1.plot(row.index, row.values, color=palette[arm[pid]], alpha=0.2, lw=0.8)
means = wide.groupby(arm).mean()
for name, row in means.iterrows():
    ax1.plot(row.index, row.values, color=palette[name], lw=3)
ax1.legend(handles=[Line2D([], [], color=c, lw=3, label=k) for k, c in palette.items()])
ax1.set_xticks(wide.columns)
ax1.set(xlabel="Visit", ylabel="SBP (mmHg)")

cmap = ListedColormap(["#2166ac", "#f7f7f7", "#fddbc7", "#b2182b"])
norm = BoundaryNorm([0, 120, 140, 160, 300], cmap.N)
cmap.set_bad("lightgrey")
for i, (name, group) in enumerate(wide.groupby(arm)):
    ax = fig.add_subplot(gs[i, 1])
    ordered = group.sort_values(4)
    img = ax.imshow(np.ma.masked_invalid(ordered.to_numpy()), aspect="auto", cmap=cmap, norm=norm, interpolation="nearest")
    ax.set_title(name, fontsize=9)
    ax.set_yticks([])
    ax.set_xticks(range(4), range(1, 5))
fig.colorbar(img, ax=fig.axes[1:], ticks=[60, 130, 150, 230], location="right")
ax3 = fig.add_axes([0.78, 0.1, 0.18, 0.3])
ax3.violinplot([wide[4][arm == a].dropna() for a in palette], showmedians=True)
ax3.set_xticks([1, 2], list(palette))
fig.savefig(OUTPUT / "trajectories.png", dpi=75)
print(means.round(1).to_string())
print("cells:", {int(k): int(v) for k, v in zip(*np.unique(norm(wide.to_numpy()[~np.isnan(wide.to_numpy())]), return_counts=True))})
