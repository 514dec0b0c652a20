import matplotlib.pyplot as plt
import matplotlib.ticker as mticker
import numpy as np
import pandas as pd

wide = pd.DataFrame(
    {"solar": [3, 5, 9, 16, 27], "wind": [10, 13, 17, 20, 24], "hydro": [30, 30, 31, 29, 31], "coal": [45, 40, 33, 24, 12]},
    index=pd.Index(range(2020, 2025), name="year"),
)
share = wide.div(wide.sum(axis=1), axis=0)
rank = wide.rank(axis=1, ascending=False).astype(int)
print(share.round(3).to_string())
print(rank.T.to_string())
print((wide.iloc[-1] / wide.iloc[0]).pow(1 / 4).sub(1).map("{:+.1%}".format).to_dict())
fig, axs = plt.subplots(2, 2, figsize=(11, 8), constrained_layout=True)
wide.plot(ax=axs[0, 0], marker="o")
share.plot.bar(stacked=True, ax=axs[0, 1], legend=False, width=0.8)
axs[0, 1].yaxis.set_major_formatter(mticker.PercentFormatter(1.0))
axs[1, 0].stackplot(wide.index, wide.T.values, labels=wide.columns, alpha=0.8)
axs[1, 0].xaxis.set_major_locator(mticker.MaxNLocator(integer=True))
axs[1, 0].legend(loc="upper left", fontsize=7)
last = wide.loc[2024].sort_values()
bars = axs[1, 1].barh(last.index, last.values, color=plt.cm.Set2(np.arange(4)))
axs[1, 1].bar_label(bars, fmt="%d TWh", padding=3)
axs[1, 1].spines[["top", "right"]].set_visible(False)
for ax, letter in zip(axs.flat, "abcd"):
    ax.set_title(f"({letter})", loc="left", fontweight="bold")
fig.suptitle("Energy mix")
fig.savefig("mix.pdf")
fig.savefig("mix.png", dpi=80, facecolor="white")
print([b.get_width() for b in bars], axs.shape, fig.get_size_inches().tolist())
plt.show()
