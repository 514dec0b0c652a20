"""Settings and the odd look under the hood that people copy from answers on the net."""
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cbook, colormaps, rc, rcParams

rc("lines", linewidth=1.2, markersize=4)
rc("font", **{"family": "sans-serif", "size": 9})
plt.rcParams["axes.formatter.use_mathtext"] = True
with mpl.rc_context({"xtick.direction": "in", "ytick.right": True}):
    fig, ax = plt.subplots(num="scratch", clear=True)
colors = plt.rcParams["axes.prop_cycle"].by_key()["color"]
line, = ax.plot([1, 2, 3], color=colors[3], marker="o", gid="the-line", zorder=4)
cycle = ax._get_lines.get_next_color()
print(cycle in colors, line.get_color() == colors[3], mpl.__version__ >= "3")
legend = ax.legend([line], ["flow"], loc=2)
for text in legend.get_texts():
    text.set_color("C2")
legend.legend_handles[0].set_linewidth(4)
legend._legend_box.align = "left"
fig.canvas.draw()
box = legend.get_window_extent()
print(box.x1 > box.x0, legend._loc, ax.get_legend_handles_labels()[1], fig.canvas.get_supported_filetypes()["png"])
ax2 = ax.twiny()
ax2.set_xlim(ax.get_xlim())
print(ax.get_shared_y_axes().joined(ax, ax2), [type(c).__name__ for c in ax.get_children()][:3])
ax.spines["left"].set_position(("outward", 8))
ax.xaxis.set_ticks_position("both")
ax.xaxis.get_offset_text().set_fontsize(6)
ax.yaxis.get_major_formatter().set_powerlimits((-2, 2))
ax.xaxis.labelpad = 1
ax.title.set_position([0.5, 1.05])
print(cbook.boxplot_stats([1, 2, 3, 40])[0]["med"], colormaps["viridis"].resampled(4)(range(4)).round(2).tolist()[0], plt.colormaps()[:1])
manager = plt.get_current_fig_manager()
print(type(manager).__name__, fig.number, plt.fignum_exists("scratch"), fig.get_label())
for p in ax.patches[:]:
    p.remove()
ax.lines[0].remove()
ax.cla()
plt.rcdefaults()
mpl.rcParams.update(mpl.rcParamsDefault)
print(len(ax.lines), mpl.rcParams["lines.linewidth"], mpl.rcParams.find_all("legend.f").keys())
print([n for n in dir(ax) if n.startswith("set_x")][:4], callable(ax.set_xticks), ax.__class__.__name__, hasattr(ax, "zz"))
fig.savefig("scratch.png")
