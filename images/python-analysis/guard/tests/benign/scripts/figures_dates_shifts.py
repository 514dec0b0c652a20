"""Nurse shifts: broken bars over days with time zones, vertical spans, minor weekday ticks."""
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
import matplotlib.dates as md
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.dates import MO, DateFormatter, DayLocator, HourLocator, WeekdayLocator, date2num, num2date

zone = ZoneInfo("Europe/Vienna")
start = datetime(2024, 3, 29, 6, tzinfo=zone)
shifts = {name: [(start + timedelta(hours=12 * k + 24 * d), timedelta(hours=8)) for d in range(k, 5, 2)] for k, name in enumerate(("Ada", "Bo", "Cy"))}
fig, ax = plt.subplots(figsize=(9, 2.6))
for row, (name, spans) in enumerate(shifts.items()):
    ax.broken_barh([(date2num(begin), length.total_seconds() / 86400) for begin, length in spans], (row - 0.35, 0.7), facecolors=f"C{row}", hatch="//" if row == 1 else None)
    ax.annotate(name, (date2num(spans[0][0]), row), xytext=(3, 0), textcoords="offset points", va="center", color="w")
ax.axvline(datetime(2024, 3, 31, 1, tzinfo=timezone.utc), color="k", ls="--")
ax.xaxis_date(tz=zone)
ax.xaxis.set_major_locator(DayLocator(tz=zone))
ax.xaxis.set_major_formatter(DateFormatter("%a %d\n%b", tz=zone))
ax.xaxis.set_minor_locator(HourLocator(byhour=[6, 12, 18], tz=zone))
ax.xaxis.set_minor_formatter(DateFormatter("%H", tz=zone))
ax.tick_params(axis="x", which="minor", labelsize=5)
ax.tick_params(axis="x", which="major", pad=10)
ax.set_yticks(range(3), shifts)
ax.invert_yaxis()
lo, hi = (num2date(v, tz=zone) for v in ax.get_xlim())
print(lo.utcoffset() != hi.utcoffset() or lo.tzinfo is not None, md.AutoDateLocator().maxticks.get(3))
weekly = WeekdayLocator(byweekday=MO, interval=1)
print([num2date(v).strftime("%Y-%m-%d") for v in weekly.tick_values(datetime(2024, 1, 1), datetime(2024, 1, 30))])
print(md.datestr2num("2024-02-29"), md.num2timedelta(1.5), np.array(md.drange(datetime(2024, 1, 1), datetime(2024, 1, 2), timedelta(hours=6))).size)
fig.autofmt_xdate(rotation=0, ha="center")
fig.savefig(OUTPUT / "shifts.png")
