"""Dates: locators, rrules, concise formatter, epochs, timezones."""
import datetime as dt
import matplotlib.pyplot as plt
import numpy as np
import matplotlib.dates as mdates
from matplotlib.dates import DAILY, MO, TU, WEEKLY, YEARLY, AutoDateLocator, ConciseDateFormatter, DateFormatter, DayLocator, HourLocator, MonthLocator, RRuleLocator, WeekdayLocator, date2num, drange, num2date, rrulewrapper
from dateutil.rrule import FR
from zoneinfo import ZoneInfo

base = dt.datetime(2005, 2, 1)
dates = [base + dt.timedelta(hours=(2 * i)) for i in range(732)]
N = len(dates)
np.random.seed(19680801)
y = np.cumsum(np.random.randn(N))
fig, axs = plt.subplots(3, 2, layout="constrained")
for ax in axs.flat[:3]:
    locator = mdates.AutoDateLocator(minticks=3, maxticks=7)
    formatter = mdates.ConciseDateFormatter(locator, formats=["%y", "%b", "%d", "%H:%M", "%H:%M", "%S.%f"], zero_formats=[""] + ["%y", "%b", "%b-%d", "%H:%M", "%H:%M"], show_offset=False)
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(formatter)
    ax.plot(dates, y)
axs[1, 1].plot(np.arange("2020-01", "2020-06", dtype="datetime64[D]"), range(152))
axs[1, 1].xaxis.set_major_locator(WeekdayLocator(byweekday=MO, interval=2))
axs[1, 1].xaxis.set_major_formatter(DateFormatter("%d %b", tz=ZoneInfo("America/New_York")))
rule = rrulewrapper(YEARLY, byeaster=1, interval=5)
loc = RRuleLocator(rule)
axs[2, 0].xaxis.set_major_locator(loc)
axs[2, 0].plot(drange(dt.date(1952, 1, 1), dt.date(2004, 4, 12), dt.timedelta(days=100)), range(191))
axs[2, 1].bar([dt.date(2020, 1, d) for d in range(1, 6)], range(5))
axs[2, 1].xaxis_date()
fig.autofmt_xdate()
fig.canvas.draw()


class MyFormatter:
    def __init__(self, dates, fmt="%a"):
        self.dates = dates
        self.fmt = fmt

    def __call__(self, x, pos=0):
        ind = round(x)
        return self.dates[ind].strftime(self.fmt) if 0 <= ind < len(self.dates) else ""


axs[0, 0].xaxis.set_major_formatter(MyFormatter(dates, "%Y-%m-%d"))
axs[0, 0].fmt_xdata = mdates.DateFormatter("%Y-%m-%d")
print(mdates.get_epoch(), date2num(base), num2date(12815).isoformat(), axs[0, 0].format_xdata(12815.5))
print([t.get_text() for t in axs[1, 0].get_xticklabels()], [t.get_text() for t in axs[1, 1].get_xticklabels()][:3])
print(mdates.datestr2num("2020-01-02"), mdates.num2timedelta(1.5), str(mdates.SATURDAY if hasattr(mdates, "SATURDAY") else mdates.SA))
