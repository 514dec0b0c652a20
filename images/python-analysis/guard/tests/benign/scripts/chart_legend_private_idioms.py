import matplotlib.pyplot as plt
import numpy as np
fig, ax = plt.subplots(); ax.plot([1, 2], label="a"); ax.scatter([1], [1], label="b"); leg = ax.legend()
leg._ncols = 2; leg._legend_box.align = "left"
for h in leg.legend_handles: h._sizes = [30] if hasattr(h, "_sizes") else None
print(leg._fontsize, len(leg._legend_handle_box.get_children()) if hasattr(leg, "_legend_handle_box") else "")
from matplotlib.lines import Line2D
handles, labels = ax.get_legend_handles_labels(); by = dict(zip(labels, handles)); ax.legend(by.values(), by.keys()); ax.legend_.remove(); print(ax.get_legend(), ax.legend_)
ax.xaxis._update_ticks() if hasattr(ax.xaxis, "_update_ticks") and False else ax.xaxis.get_majorticklabels(); print(ax._position if False else ax.get_position().bounds)
