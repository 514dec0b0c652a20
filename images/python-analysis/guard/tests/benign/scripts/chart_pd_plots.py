import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(5)
df = pd.DataFrame(rng.random((20, 3)), columns=list("abc"), index=pd.date_range("2021-01-01", periods=20, freq="W"))
ax = df.plot(secondary_y=["c"], mark_right=False, style=["-", "--", "o"], figsize=(5, 3), title="T", legend="reverse", grid=True, rot=45, colormap="viridis", logy=False)
print(ax.right_ax.get_ylabel(), [t.get_text() for t in ax.get_legend().get_texts()], type(ax.xaxis.get_major_formatter()).__name__)
axs = df.plot(subplots=True, layout=(2, 2), sharex=True, kind="area", stacked=False, alpha=.4); print(axs.shape)
df["k"] = list("xy") * 10
bp = df.boxplot(column=["a", "b"], by="k", return_type="axes"); print(sorted(bp.index)); df.hist(column="a", by="k", bins=5, sharey=True); df.groupby("k").boxplot(subplots=False); df.groupby("k")["a"].plot(kind="kde", legend=True); df.groupby("k").plot.scatter(x="a", y="b")
df.plot.scatter("a", "b", c="c", cmap="hot", s=df["a"] * 90, colorbar=True); df.plot.hexbin("a", "b", C="c", reduce_C_function=np.max, gridsize=8); df[["a", "b"]].plot.bar(stacked=True, yerr=.1, width=.8, table=False).bar_label if False else df[["a"]].plot.barh(xerr=df[["b"]]); df["a"].plot.hist(bins=6, orientation="horizontal", cumulative=True); df.iloc[:4][["a", "b"]].plot.pie(subplots=True, autopct="%.0f", legend=False); df["a"].plot.box(vert=False); df["a"].plot.density(bw_method=.3, ind=[0, .5, 1]); df.plot.line(y="a", drawstyle="steps"); df["k"].value_counts().plot(kind="bar", color=["r", "b"], table=True)
print(len(plt.get_fignums()) > 8, df.a.plot(xlabel="xx", ylabel="yy", xlim=("2021-02", "2021-03")).get_xlabel(), pd.options.plotting.backend, pd.plotting.plot_params["xaxis.compat"] if hasattr(pd.plotting, "plot_params") else None)
s = pd.Series(rng.random(5), index=pd.period_range("2020-01", periods=5, freq="M")); a = s.plot(marker="o"); a.axvline(pd.Timestamp("2020-03-01")); a.figure.canvas.draw(); print([t.get_text() for t in a.get_xticklabels(minor=True)][:2])
pd.plotting.register_matplotlib_converters(); pd.plotting.deregister_matplotlib_converters(); with_ctx = pd.plotting.boxplot(df[["a"]]); print(type(with_ctx).__name__)
