"""Where a hospital's water goes: a flow chart of two stages, layers over a day, hatches and a table beneath."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.hatch import get_path
from matplotlib.patches import Patch
from matplotlib.sankey import Sankey
from matplotlib.table import Cell, CustomCell, Table, table

fig, axes = plt.subplots(2, 2, figsize=(9, 7))
flow = Sankey(ax=axes[0, 0], scale=1 / 480, format="%d", unit=" m3", gap=0.3, shoulder=0.05, margin=0.2)
flow.add(flows=[480, -290, -120, -70], labels=["mains", "wards", None, "laundry"], orientations=[0, 0, 1, -1], trunklength=0.8, facecolor="lightblue")
flow.add(flows=[290, -200, -90], labels=["", "drain", "steam"], orientations=[0, -1, 1], prior=0, connect=(1, 0), hatch="..", fc="w")
stages = flow.finish()
stages[0].texts[2].set_style("italic")
print(len(stages), [round(float(each.flows.sum()), 6) for each in stages], stages[1].text.get_text(), stages[0].tips.shape)
hours = np.arange(0, 24, 3)
use = {"day clinic": [0, 0, 9, 14, 12, 5, 0, 0], "wards": [6, 5, 9, 11, 10, 9, 8, 7], "kitchen": [0, 3, 8, 4, 6, 7, 1, 0]}
layers = axes[0, 1].stackplot(hours, *use.values(), labels=list(use), baseline="zero", hatch=["/", "o", "+"], edgecolor="k")
axes[0, 1].legend(loc="upper left", reverse=True)
foot = np.zeros(3)
for name, row in use.items():
    bars = axes[1, 0].bar(["night", "day", "evening"], [sum(row[:2]), sum(row[2:6]), sum(row[6:])], bottom=foot, label=name, width=0.6)
    axes[1, 0].bar_label(bars, label_type="center", fmt="{:.0f}", fontsize=6)
    foot += [bar.get_height() for bar in bars]
axes[1, 0].legend(handles=[Patch(hatch=sign * 2, label=repr(sign), fill=False) for sign in "/\\|-+xoO.*"], ncols=5, fontsize=5)
axes[1, 1].axis("off")
cells = axes[1, 1].table(cellText=[[str(v) for v in row[2:5]] for row in use.values()], rowLabels=list(use), colLabels=[f"{h} h" for h in hours[2:5]],
                         rowColours=["0.9"] * 3, loc="center", cellLoc="right", edges="horizontal")
cells.auto_set_font_size(False)
cells.set_fontsize(8)
cells.scale(1, 1.4)
cells[1, 0].set_text_props(weight="bold")
cells.add_cell(4, 0, width=0.2, height=0.1, text="sum")
fig.canvas.draw()
print(foot.tolist(), [bar.get_label() for bar in axes[1, 0].containers], len(layers), layers[0].get_hatch())
print(sorted(cells.get_celld())[:2], cells[4, 0].get_text().get_text(), isinstance(cells[0, 0], Cell), CustomCell is not None, isinstance(cells, Table), table.__name__)
print([len(get_path(sign, 4).vertices) > 0 for sign in ("/", "o", "*", "")], cells[0, 1].get_path().vertices.shape)
fig.savefig(OUTPUT / "water.png", dpi=50)
