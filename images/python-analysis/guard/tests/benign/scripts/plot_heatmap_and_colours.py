import matplotlib.pyplot as plt
import numpy as np
from matplotlib import dates as mdates
import matplotlib as mpl
import pandas as pd

corr = visits[["sbp", "dbp", "hr", "weight"]].corr()
fig, ax = plt.subplots()
image = ax.imshow(corr, cmap="RdBu_r", vmin=-1, vmax=1)
ax.set_xticks(range(len(corr)), labels=corr.columns, rotation=45, ha="right")
ax.set_yticks(range(len(corr)), labels=corr.index)
for (i, j), value in np.ndenumerate(corr.to_numpy()):
    ax.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if abs(value) > 0.5 else "black")
fig.colorbar(image, ax=ax, shrink=0.8)
fig.savefig(OUTPUT / "corr.png")
colours = mpl.colormaps["plasma"](np.linspace(0, 1, 3))
print(colours.shape, plt.get_cmap("Blues")(0.5))
fig, ax = plt.subplots()
when = pd.to_datetime(visits["date"]).head(50).sort_values()
ax.step(when, range(50), where="post")
ax.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
ax.xaxis.set_major_locator(mdates.MonthLocator(interval=3))
fig.autofmt_xdate()
with plt.rc_context({"lines.linewidth": 3}):
    ax.plot(when, range(50))
ax2 = ax.twinx()
ax2.set_yscale("log")
plt.show()
