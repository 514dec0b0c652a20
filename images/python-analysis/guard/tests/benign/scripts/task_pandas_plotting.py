import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(12)
df = pd.DataFrame(rng.normal(size=(200, 4)).cumsum(axis=0), columns=list("ABCD"), index=pd.date_range("2024-01-01", periods=200))

axes = df.plot(subplots=True, layout=(2, 2), figsize=(8, 6), sharex=True, title="Walks")
plt.savefig("walks.png")
ax = df.resample("ME").mean().plot(kind="bar", stacked=False, figsize=(8, 3))
ax.set_xticklabels([d.strftime("%b") for d in df.resample("ME").mean().index], rotation=0)
plt.savefig("bars.png")
df.plot.scatter(x="A", y="B", c="C", colormap="viridis")
plt.savefig("scatter.png")
df["A"].plot.hist(bins=20, alpha=0.5, label="A")
df["B"].plot.hist(bins=20, alpha=0.5, label="B").legend()
df.plot.box()
df.plot.area(stacked=False, alpha=0.3)
df["A"].plot.kde()
pd.plotting.scatter_matrix(df, figsize=(6, 6), diagonal="hist")
pd.plotting.autocorrelation_plot(df["A"])
df.boxplot(column=["A", "B"])
df.hist(bins=10)
print("open figures:", len(plt.get_fignums()))
plt.close("all")
print(axes.shape, df.corr().round(2).to_dict()["A"])
