"""River gauge: monthly envelope, flood marks, twin axis for rain."""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

rng = np.random.default_rng(101)
days = pd.date_range("2021-10-01", "2022-09-30", freq="D")
level = 2.1 + 0.9 * np.cos(2 * np.pi * (days.dayofyear - 40) / 365) + rng.gamma(1.5, 0.12, len(days))
rain = rng.gamma(0.6, 4, len(days)) * (rng.random(len(days)) < 0.4)
gauge = pd.DataFrame({"level": level, "rain": rain}, index=days)
month = gauge["level"].resample("MS").agg(["min", "median", "max"])
print(month.round(2).head(3))

fig, ax = plt.subplots(figsize=(9, 4), layout="constrained")
ax.plot(gauge.index, gauge.level, color="0.6", lw=0.7)
ax.step(month.index, month["median"], where="post", color="navy", lw=1.6)
ax.fill_between(month.index, month["min"], month["max"], step="post", color="navy", alpha=0.12)
over = gauge[gauge.level > gauge.level.quantile(0.97)]
ax.scatter(over.index, over.level, marker="v", color="crimson", s=18, zorder=5)
ax.axhline(3.2, ls=(0, (5, 2, 1, 2)), color="crimson")
ax.set_ylabel("gauge (m)")
twin = ax.twinx()
twin.bar(gauge.index, gauge.rain, width=1.0, color="steelblue", alpha=0.4)
twin.set_ylim(60, 0)
twin.set_ylabel("rain (mm/day)")
ax.xaxis.set_major_locator(mdates.MonthLocator(interval=2))
ax.xaxis.set_major_formatter(mdates.ConciseDateFormatter(ax.xaxis.get_major_locator()))
ax.xaxis.set_minor_locator(mdates.MonthLocator())
handles = [Line2D([], [], color="navy", label="monthly median"), Patch(facecolor="steelblue", alpha=0.4, label="rain"),
           Line2D([], [], marker="v", ls="", color="crimson", label="highest 3 %")]
leg = ax.legend(handles=handles, loc="upper left", ncols=3, frameon=False, title="station B")
leg.get_title().set_fontstyle("italic")
fig.savefig(OUTPUT / "gauge.svg")
fig.savefig(OUTPUT / "gauge.png", dpi=110, bbox_inches="tight", pad_inches=0.05, metadata={"Title": "gauge"})
print([t.get_text() for t in leg.get_texts()], ax.get_ylim()[0] < 3, twin.yaxis_inverted())
