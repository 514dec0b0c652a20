import numpy as np
import matplotlib.pyplot as plt

rng = np.random.default_rng(5)
x = np.linspace(0, 2 * np.pi, 200)

fig, axes = plt.subplots(2, 3, figsize=(12, 7))
axes = axes.ravel()
axes[0].plot(x, np.sin(x), label="sin")
axes[0].plot(x, np.cos(x), "--", label="cos")
axes[0].legend()
axes[1].bar(["a", "b", "c"], [3, 7, 5], color=["C0", "C1", "C2"], edgecolor="k")
for patch in axes[1].patches:
    axes[1].text(patch.get_x() + patch.get_width() / 2, patch.get_height(), f"{patch.get_height():.0f}", ha="center", va="bottom")
axes[2].hist(rng.normal(size=1000), bins=30, density=True, histtype="stepfilled", alpha=0.7)
axes[3].scatter(rng.random(60), rng.random(60), c=rng.random(60), s=rng.random(60) * 200, cmap="plasma", alpha=0.7)
axes[4].pie([30, 20, 50], labels=["x", "y", "z"], autopct="%1.0f%%", startangle=90, explode=(0, 0.1, 0))
axes[5].boxplot([rng.normal(m, 1, 50) for m in range(4)], notch=True, patch_artist=True)

for i, ax in enumerate(axes):
    ax.set_title(f"({'abcdef'[i]})", loc="left")
fig.suptitle("A gallery of basic plots", fontsize=14)
fig.tight_layout(rect=[0, 0, 1, 0.96])
fig.savefig("gallery.png")
print("axes:", len(fig.axes), "size:", fig.get_size_inches().tolist())
print([type(a).__name__ for a in axes[:2]], axes[0].get_legend() is not None)
print("ylim of (b):", axes[1].get_ylim()[0])
