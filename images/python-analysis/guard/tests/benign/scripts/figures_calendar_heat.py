"""Calendar heat map of clinic visits, made with rectangles and a table below."""
import calendar
import datetime as dt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.collections import PatchCollection
from matplotlib.patches import FancyBboxPatch, Rectangle

rng = np.random.default_rng(77)
days = pd.date_range("2023-03-01", "2023-05-31")
visits = pd.Series(rng.poisson(np.where(days.dayofweek < 5, 24, 6)), index=days, name="visits")
fig, ax = plt.subplots(figsize=(8, 3.2))
week = ((days - days[0]).days + days[0].weekday()) // 7
squares = [Rectangle((w, 6 - d), 0.92, 0.92) for w, d in zip(week, days.dayofweek)]
coll = PatchCollection(squares, cmap="Oranges", edgecolor="none")
coll.set_array(visits.to_numpy(float))
coll.set_clim(0, 35)
ax.add_collection(coll)
for w, day, n in zip(week, days, visits):
    ax.text(w + 0.46, 6 - day.dayofweek + 0.46, day.day, ha="center", va="center", fontsize=5, color="w" if n > 20 else "0.4")
ax.add_patch(FancyBboxPatch((-0.1, -0.1), week.max() + 1.1, 7.1, boxstyle="round,pad=0.05,rounding_size=0.2", fc="none", ec="0.5"))
ax.set_xlim(-1, week.max() + 2)
ax.set_ylim(-0.5, 7.5)
ax.set_aspect("equal")
ax.set_yticks(np.arange(7) + 0.46, [calendar.day_abbr[6 - i] for i in range(7)])
ticks = [w for w, d in zip(week, days) if d.day == 1]
ax.set_xticks(ticks, [calendar.month_name[d.month] for d in days if d.day == 1])
ax.tick_params(length=0)
for spine in ax.spines.values():
    spine.set_visible(False)
summary = visits.groupby(visits.index.month).agg(["sum", "max"])
tab = ax.table(cellText=summary.to_numpy().tolist(), rowLabels=[calendar.month_abbr[m] for m in summary.index], colLabels=list(summary), loc="right", bbox=[1.05, 0.2, 0.2, 0.5])
tab.auto_set_font_size(False)
tab.set_fontsize(6)
for (row, col), cell in tab.get_celld().items():
    cell.set_linewidth(0.3)
    if row == 0:
        cell.set_text_props(weight="bold")
fig.colorbar(coll, ax=ax, shrink=0.5, location="left")
fig.savefig(OUTPUT / "calendar.png", bbox_inches="tight")
print(summary, dt.date(2023, 3, 1).isocalendar().week, len(squares))
