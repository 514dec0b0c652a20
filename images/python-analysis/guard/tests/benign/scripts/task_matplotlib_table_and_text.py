import matplotlib.pyplot as plt
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.offsetbox import AnchoredText, AnnotationBbox, OffsetImage
from matplotlib.sankey import Sankey

data = np.array([[66386, 174296], [58230, 381139], [89135, 80552]])
columns, rows = ("Freeze", "Wind"), ["100 year", "50 year", "20 year"]
fig, ax = plt.subplots(figsize=(6, 4))
bottom = np.zeros(2)
for row in data[::-1]:
    ax.bar(columns, row, 0.4, bottom=bottom)
    bottom += row
table = ax.table(cellText=[[f"{v / 1000:.1f}" for v in r] for r in data], rowLabels=rows, colLabels=columns, loc="bottom")
table.scale(1, 1.4)
ax.set_xticks([])
fig.subplots_adjust(left=0.2, bottom=0.25)
fig.savefig("table.png")

fig, ax = plt.subplots()
ax.text(0.5, 0.6, r"$\int_0^\infty e^{-x^2}dx = \frac{\sqrt{\pi}}{2}$", fontsize=16, ha="center")
ax.text(0.5, 0.3, "bold italic", fontproperties=FontProperties(weight="bold", style="italic"), rotation=15)
ax.add_artist(AnchoredText("anchored", loc="upper left", frameon=True))
ax.add_artist(AnnotationBbox(OffsetImage(np.random.default_rng(0).random((8, 8)), zoom=4), (0.8, 0.8)))
ax.set_title("Title", loc="right", fontdict={"color": "darkred", "size": 12})
fig.text(0.01, 0.01, "source: made up", fontsize=7, color="grey")
fig.savefig("text.svg")
Sankey(flows=[1, -0.6, -0.4], labels=["in", "use", "loss"], orientations=[0, 0, 1]).finish()
plt.savefig("sankey.png")
print(len(table.get_celld()), bottom.astype(int).tolist(), len(ax.texts), ax.get_title(loc="right"))
