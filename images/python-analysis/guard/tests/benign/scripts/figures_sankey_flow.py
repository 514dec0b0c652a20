"""Flows of waste: sankey, stacked areas, waterfall and a funnel made of polygons."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.path import Path
from matplotlib.patches import PathPatch
from matplotlib.sankey import Sankey

fig, axes = plt.subplots(2, 2, figsize=(10, 8))
flow = Sankey(ax=axes[0, 0], unit="kt", scale=0.01, offset=0.3, format="%.0f", gap=0.4)
flow.add(flows=[100, -55, -25, -20], labels=["collected", "recycled", "burnt", "buried"], orientations=[0, 0, 1, -1], trunklength=1.2, fc="#9ecae1")
flow.add(flows=[55, -40, -15], labels=["", "sold", "lost"], orientations=[0, 0, -1], prior=0, connect=(1, 0))
diagrams = flow.finish()
diagrams[0].texts[-1].set_color("firebrick")
years = np.arange(2010, 2024)
parts = np.vstack([np.linspace(60, 30, 14), np.linspace(20, 35, 14), 10 + 5 * np.sin(years)])
axes[0, 1].stackplot(years, parts, labels=["paper", "plastic", "metal"], baseline="wiggle", alpha=0.8)
axes[0, 1].legend(reverse=True, fontsize=7)
steps = [("start", 120), ("reuse", -30), ("repair", -12), ("import", 25)]
base = np.cumsum([0] + [v for _, v in steps])
for k, (name, v) in enumerate(steps):
    bar = axes[1, 0].bar(name, v, bottom=base[k], color="seagreen" if v > 0 else "indianred")
    axes[1, 0].bar_label(bar, fmt="%+d")
axes[1, 0].bar("total", base[-1], color="0.5")
axes[1, 0].step(range(-1, 5), np.r_[base, base[-1]], where="mid", lw=0.5, color="k")
widths = [10, 6, 4, 1]
for k, (w0, w1) in enumerate(zip(widths, widths[1:])):
    path = Path([(-w0, -k), (w0, -k), (w1, -k - 1), (-w1, -k - 1), (0, 0)], [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])
    axes[1, 1].add_patch(PathPatch(path, fc=plt.cm.Purples(0.9 - 0.2 * k), ec="w"))
    axes[1, 1].text(0, -k - 0.5, f"{w1 / w0:.0%}", ha="center", color="orange")
axes[1, 1].autoscale()
axes[1, 1].axis("off")
plt.tight_layout()
plt.savefig("flows.pdf")
print(base.tolist(), len(diagrams), diagrams[1].flows.tolist(), axes[1, 0].containers[0].datavalues)
