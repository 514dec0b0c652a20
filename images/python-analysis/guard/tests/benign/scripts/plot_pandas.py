import matplotlib.pyplot as plt
import pandas as pd

ax = visits.groupby("visit")["sbp"].mean().plot(kind="bar", rot=0, title="Mean", ylabel="mmHg")
ax.figure.savefig(OUTPUT / "bars.svg")
plt.close(ax.figure)
patients.plot.scatter(x="age", y="bmi", alpha=0.5)
patients["age"].plot(kind="kde")
patients.boxplot(column="bmi", by="sex")
visits[["sbp", "dbp"]].plot.hist(bins=20, alpha=0.5, subplots=True, layout=(1, 2), figsize=(8, 3))
pd.plotting.scatter_matrix(visits[["sbp", "dbp", "hr"]], figsize=(5, 5))
visits["sbp"].plot.box()
print(plt.get_fignums())
for number in plt.get_fignums():
    plt.figure(number).set_size_inches(4, 3)
plt.close("all")
