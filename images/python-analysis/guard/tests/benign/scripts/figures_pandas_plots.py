"""Pandas' own plots of a greenhouse log."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from pandas.plotting import autocorrelation_plot, lag_plot, parallel_coordinates, scatter_matrix, register_matplotlib_converters

register_matplotlib_converters()
rng = np.random.default_rng(4)
index = pd.date_range("2024-04-01", periods=24 * 21, freq="h")
log = pd.DataFrame({"air": 18 + 6 * np.sin(2 * np.pi * index.hour / 24) + rng.normal(0, 1, len(index)), "soil": 15 + rng.normal(0, 0.4, len(index)).cumsum() * 0.2}, index=index)
log["bench"] = rng.choice(["east", "west", "north"], len(log))
log["vent"] = log.air > 22
axes = log[["air", "soil"]].plot(subplots=True, sharex=True, figsize=(7, 4), title=["air °C", "soil °C"], color=["C3", "C5"], legend=False)
axes[0].axhspan(22, 30, alpha=0.1, color="r")
axes[0].get_figure().savefig("log.png")
fig, ((a, b), (c, d)) = plt.subplots(2, 2, figsize=(8, 6))
log.boxplot(column="air", by="bench", ax=a, grid=False)
fig.suptitle("")
log.groupby(log.index.hour)["air"].agg(["mean", "std"]).plot(y="mean", yerr="std", ax=b, capsize=2, marker="o", ms=3)
log.bench.value_counts().sort_index().plot.pie(ax=c, autopct="%1.0f%%", startangle=90, ylabel="")
pd.crosstab(log.bench, log.vent).plot.barh(stacked=True, ax=d, colormap="Set2", width=0.8)
d.legend(["shut", "open"], title="vent")
fig.tight_layout()
fig.savefig("four.png")
log.plot.hexbin(x="soil", y="air", gridsize=18, cmap="Blues", mincnt=1)
plt.savefig("hex.png")
fig, (left, right) = plt.subplots(1, 2)
lag_plot(log.air, lag=24, ax=left, s=4)
autocorrelation_plot(log.air.iloc[:200], ax=right)
fig.savefig("lag.png")
m = scatter_matrix(log[["air", "soil"]], diagonal="hist", hist_kwds={"bins": 15}, alpha=0.3)
daily = log[["air", "soil", "bench"]].groupby("bench").resample("D").mean(numeric_only=True).reset_index().round(2)
plt.figure()
ax = parallel_coordinates(daily[["bench", "air", "soil"]], "bench", colormap="viridis", lw=0.7)
ax.figure.savefig("parallel.png")
log.air.plot.kde(ax=plt.figure().gca(), bw_method=0.3)
log.soil.plot.area(stacked=False, alpha=0.4, ax=plt.figure().gca())
log.air.hist(by=log.bench, bins=10, sharex=True, layout=(1, 3))
print(len(plt.get_fignums()), m.shape, ax.get_legend().get_texts()[0].get_text(), a.get_title(), daily.head(2).to_string())
