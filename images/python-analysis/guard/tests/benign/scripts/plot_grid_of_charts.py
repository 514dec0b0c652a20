import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

plt.rcParams.update({"font.size": 9, "axes.titleweight": "bold"})
plt.style.use("seaborn-v0_8-whitegrid")
fig, axes = plt.subplots(2, 3, figsize=(11, 6))
axes[0, 0].hist(patients["age"].dropna(), bins=15, density=True, color="#4c72b0", edgecolor="white")
axes[0, 1].boxplot([g["sbp"].dropna() for _, g in visits.groupby("visit")])
axes[0, 2].scatter(visits["sbp"], visits["dbp"], c=visits["hr"], s=8, cmap="viridis")
counts = patients["site"].value_counts().sort_index()
bars = axes[1, 0].bar(counts.index, counts, color=plt.cm.tab10.colors[: len(counts)])
axes[1, 0].bar_label(bars, fmt="%d")
axes[1, 1].pie(counts, labels=counts.index, autopct="%1.0f%%", startangle=90)
axes[1, 2].barh(counts.index, counts / counts.sum())
axes[1, 2].xaxis.set_major_formatter(PercentFormatter(1.0))
axes[0, 0].yaxis.set_major_formatter(FuncFormatter(lambda v, pos: f"{v:.2f}"))
axes[1, 0].yaxis.set_major_locator(MaxNLocator(integer=True))
for ax, title in zip(axes.flat, "Age Pressure Both Sites Share Part".split()):
    ax.set_title(title)
fig.suptitle("Overview")
fig.tight_layout(rect=(0, 0, 1, 0.96))
fig.savefig(OUTPUT / "overview.pdf")
print(len(fig.axes), [ax.get_title() for ax in fig.axes][:2])
