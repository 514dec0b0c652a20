import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator, FuncFormatter

mpl.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "font.size": 9, "savefig.dpi": 100})
plt.style.use("seaborn-v0_8-colorblind")
d = visits.merge(patients, on="patient_id").assign(date=lambda x: pd.to_datetime(x.date))
pal = {"active": "#1b9e77", "placebo": "#d95f02"}
with PdfPages(OUTPUT / "trajectories.pdf") as pdf:
    fig, ax = plt.subplots(figsize=(7, 4))
    for (pid, arm), g in d.groupby(["patient_id", "arm"]):
        ax.plot(g.visit, g.sbp, color=pal[arm], alpha=.12, lw=.7)
    for arm, g in d.groupby("arm"):
        m = g.groupby("visit").sbp.agg(["mean", "sem"])
        ax.errorbar(m.index, m["mean"], yerr=1.96 * m["sem"], color=pal[arm], lw=2.5, capsize=3)
    ax.legend(handles=[Line2D([], [], color=c, lw=2, label=a) for a, c in pal.items()], frameon=False, ncols=2)
    ax.xaxis.set_major_locator(MultipleLocator(1)); ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.0f}"))
    pdf.savefig(fig); plt.close(fig)
    g = sns.lmplot(d, x="age", y="sbp", hue="arm", col="visit", palette=pal, height=2.6, scatter_kws={"s": 6}, line_kws={"lw": 1})
    pdf.savefig(g.fig); plt.close(g.fig)
    fig, axs = plt.subplot_mosaic([["a", "b"], ["c", "c"]], figsize=(8, 6), layout="constrained")
    sns.violinplot(d, x="visit", y="sbp", hue="arm", split=True, inner="quart", ax=axs["a"], palette=pal, legend=False)
    sns.heatmap(d.pivot_table(index="site", columns="visit", values="sbp"), annot=True, fmt=".0f", ax=axs["b"], cmap="rocket_r")
    axs["c"].hist(d.date, bins=30, color="0.6"); axs["c"].tick_params(axis="x", rotation=30)
    for k, a in axs.items():
        a.set_title(k.upper(), loc="left", fontweight="bold")
    pdf.savefig(fig)
    pdf.infodict()["Title"] = "Trajectories"
    print(pdf.get_pagecount())
ax = d.boxplot(column="sbp", by="site", grid=False); ax.set_title(""); ax.get_figure().suptitle("")
pd.plotting.scatter_matrix(d[["sbp", "dbp", "hr"]].dropna(), figsize=(5, 5), diagonal="kde")
pd.plotting.parallel_coordinates(d.groupby("arm")[["sbp", "dbp", "hr"]].mean().reset_index(), "arm")
axx = d.plot.hexbin("age", "sbp", gridsize=12, cmap="Greens"); d.sbp.plot.kde(ax=plt.figure().gca()); d.groupby("arm").sbp.plot.hist(alpha=.5, legend=True)
t = plt.table(cellText=[["1", "2"]], colLabels=["a", "b"], loc="bottom")
print(len(plt.get_fignums()), axx.get_xlabel(), t.get_celld()[(0, 0)].get_text().get_text(), mpl.colors.to_hex("C0"), sns.__version__[:3])
