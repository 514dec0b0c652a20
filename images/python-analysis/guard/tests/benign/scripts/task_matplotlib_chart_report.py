import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
import matplotlib.ticker as mticker
import matplotlib.patches as mpatches
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.lines import Line2D
from matplotlib.gridspec import GridSpec
from matplotlib import cm, rcParams
from datetime import date, timedelta
import numpy as np
import io, base64

plt.style.use("ggplot")
plt.rcParams.update({"font.size": 9, "axes.spines.top": False})
rcParams["figure.dpi"] = 80
days = [date(2024, 1, 1) + timedelta(days=i) for i in range(30)]
values = np.cumsum(np.random.default_rng(0).normal(size=30))
fig = plt.figure(figsize=(8, 6), constrained_layout=True)
gs = GridSpec(2, 2, figure=fig)
ax = fig.add_subplot(gs[0, :])
ax.plot(days, values, marker="o", label="value", color="tab:blue")
ax.fill_between(days, values, alpha=0.2)
ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))
ax.xaxis.set_major_locator(mdates.WeekdayLocator())
ax.yaxis.set_major_formatter(mticker.FuncFormatter(lambda v, p: f"{v:.1f}x"))
ax.axhline(0, ls="--", c="k")
ax.annotate("max", xy=(days[int(values.argmax())], values.max()), xytext=(10, 10), textcoords="offset points", arrowprops=dict(arrowstyle="->"))
ax.legend(handles=[Line2D([], [], color="b", label="line"), mpatches.Patch(color="r", label="patch")])
ax2 = fig.add_subplot(gs[1, 0])
bars = ax2.bar(["a", "b", "c"], [3, 1, 2], color=cm.viridis(np.linspace(0, 1, 3)))
ax2.bar_label(bars, fmt="%d")
for bar in bars:
    bar.set_edgecolor("black")
ax3 = fig.add_subplot(gs[1, 1], projection="polar")
ax3.plot(np.linspace(0, 6.28, 50), np.ones(50))
fig.suptitle("Report")
fig.savefig("report.png", dpi=100, bbox_inches="tight")
buf = io.BytesIO()
fig.savefig(buf, format="png")
print(base64.b64encode(buf.getvalue())[:8], len(fig.axes), ax.get_title() == "")
plt.close(fig)
fig, axes = plt.subplots(2, 3, sharex=True, squeeze=False)
for i, a in enumerate(axes.flat):
    a.set(title=f"plot {i}", xlabel="x")
axes[0, 0].scatter(*np.random.default_rng(1).random((2, 20)), c=range(20), cmap="plasma", s=50)
axes[0, 1].hist(values, bins=10, density=True)
axes[0, 2].imshow(np.eye(5), cmap=LinearSegmentedColormap.from_list("m", ["w", "r"]), norm=Normalize(0, 1))
axes[1, 0].boxplot([values, values * 2], tick_labels=["a", "b"])
axes[1, 1].pie([1, 2, 3], labels=list("abc"), autopct="%1.1f%%")
axes[1, 2].errorbar([1, 2], [3, 4], yerr=0.5, capsize=3)
plt.tight_layout()
plt.show()
with plt.xkcd() if False else plt.rc_context({"lines.linewidth": 3}):
    plt.figure(); plt.plot([1, 2]); plt.title("t"); plt.xlabel(r"$\alpha$"); plt.grid(True); plt.xticks(rotation=45); plt.savefig("two.pdf"); plt.clf(); plt.close("all")
print(plt.get_fignums(), matplotlib.__version__[:1], plt.get_cmap("viridis").N, matplotlib.colormaps["jet"].name)
