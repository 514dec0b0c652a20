import matplotlib.pyplot as plt
import matplotlib.patches as mpatches
import matplotlib.patheffects as pe
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.path import Path
import numpy as np

rng = np.random.default_rng(14)
xy = rng.random((12, 2)) * 10

fig, ax = plt.subplots(figsize=(7, 6))
sc = ax.scatter(*xy.T, c=np.arange(12), s=80, cmap="rainbow", edgecolor="k", zorder=3)
for i, (x, y) in enumerate(xy):
    ax.annotate(f"p{i}", (x, y), xytext=(5, 5), textcoords="offset points", path_effects=[pe.withStroke(linewidth=2, foreground="w")])
ax.add_patch(mpatches.Circle((5, 5), 2, fill=False, ls="--", color="red"))
ax.add_patch(mpatches.Rectangle((1, 1), 2, 3, alpha=0.2))
ax.add_patch(mpatches.Ellipse((8, 2), 3, 1, angle=30, fc="none", ec="green"))
ax.add_patch(mpatches.Polygon([[6, 8], [8, 9], [9, 7]], closed=True, fc="gold"))
ax.add_patch(mpatches.FancyArrowPatch((0, 0), (4, 9), connectionstyle="arc3,rad=.3", arrowstyle="-|>", mutation_scale=15))
ax.add_patch(mpatches.PathPatch(Path([(0, 9), (2, 10), (3, 8)], [Path.MOVETO, Path.CURVE3, Path.CURVE3]), fc="none"))
ax.add_collection(LineCollection([[(0, 5), (1, 6)], [(1, 6), (2, 5)]], colors=["r", "b"]))
ax.add_collection(PatchCollection([mpatches.Wedge((3, 6), 1, 30, 270)], alpha=0.4))
ax.legend(handles=[mpatches.Patch(color="gold", label="triangle"), *sc.legend_elements(num=3)[0]], loc="lower right")
ax.text(0.02, 0.98, "n = 12", transform=ax.transAxes, va="top", bbox=dict(boxstyle="round", fc="wheat"))
ax.set(xlim=(-1, 11), ylim=(-1, 11), aspect="equal")
fig.savefig("annotated.svg")
inside = ((xy - 5) ** 2).sum(axis=1) < 4
print("inside the circle:", np.flatnonzero(inside).tolist(), len(ax.patches), len(ax.texts))
