"""Flows of a budget, hatched bars, streams and a stack."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.hatch import get_path
from matplotlib.sankey import Sankey
from matplotlib.stackplot import stackplot
from matplotlib.streamplot import streamplot

fig, axes = plt.subplots(2, 2, figsize=(9, 7))
sankey = Sankey(ax=axes[0, 0], scale=0.01, offset=0.2, head_angle=180, format="%.0f", unit="%")
sankey.add(
    flows=[25, 0, 60, -10, -20, -5, -15, -10, -25],
    labels=["", "", "", "First", "Second", "Third", "Fourth", "Fifth", "Sixth"],
    orientations=[-1, 1, 0, 1, 1, 1, -1, -1, 0],
    pathlengths=[0.25] * 9,
    patchlabel="Widget",
)
diagrams = sankey.finish()
diagrams[0].texts[-1].set_color("r")
diagrams[0].text.set_fontweight("bold")
print(len(diagrams[0].flows), round(float(diagrams[0].flows.sum()), 6))
axes[0, 1].bar(["a", "b", "c"], [3, 1, 2], hatch=["/", "x", "o"], edgecolor="black", fill=False)
print(len(get_path("//x", 2).vertices) > 0)
y, x = np.mgrid[-3:3:20j, -3:3:20j]
streams = streamplot(axes[1, 0], np.linspace(-3, 3, 20), np.linspace(-3, 3, 20), -1 - x**2 + y, 1 + x - y**2, density=0.5)
layers = stackplot(axes[1, 1], range(5), [1, 2, 3, 4, 5], [2, 1, 2, 1, 2], labels=["p", "q"], baseline="wiggle")
axes[1, 1].legend()
print(type(streams.lines).__name__, len(layers))
fig.savefig(OUTPUT / "flows.png")
