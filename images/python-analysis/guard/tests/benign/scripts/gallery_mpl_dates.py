import datetime
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
from matplotlib.dates import (AutoDateLocator, ConciseDateFormatter, DateFormatter, DayLocator, MonthLocator, YearLocator, WeekdayLocator, HourLocator,
                              RRuleLocator, rrulewrapper, AutoDateFormatter, date2num, num2date, drange, MO, YEARLY)

base = datetime.datetime(2005, 2, 1)
d = [base + datetime.timedelta(hours=2 * i) for i in range(300)]
y = np.cumsum(np.random.RandomState(1).randn(300))
fig, axs = plt.subplots(4, 1, layout="constrained", figsize=(6, 8))
loc = AutoDateLocator(minticks=3, maxticks=7)
fm = ConciseDateFormatter(loc)
fm.formats = ["%y", "%b", "%d", "%H:%M", "%H:%M", "%S.%f"]
fm.zero_formats = [""] + fm.formats[:-1]
axs[0].xaxis.set_major_locator(loc); axs[0].xaxis.set_major_formatter(fm)
axs[0].plot(d, y); axs[0].set_xlim(np.datetime64("2005-02-01"), np.datetime64("2005-02-20"))
axs[1].plot(pd.date_range("2020-01-01", periods=300, freq="D"), y)
axs[1].xaxis.set(major_locator=MonthLocator(bymonth=(1, 7)), minor_locator=MonthLocator(), major_formatter=DateFormatter("%Y-%b"))
axs[2].plot_date(drange(base, base + datetime.timedelta(days=4), datetime.timedelta(hours=6)), range(16)) if hasattr(axs[2], "plot_date") else None
axs[2].xaxis.set_major_locator(RRuleLocator(rrulewrapper(YEARLY, byeaster=1, interval=5)))
axs[2].xaxis.set_major_locator(WeekdayLocator(byweekday=MO, interval=1)); axs[2].format_xdata = mdates.DateFormatter("%Y-%m-%d")
axs[3].bar(pd.to_datetime(["2020-01-01", "2020-01-03"]), [1, 2], width=datetime.timedelta(hours=12)); axs[3].xaxis.axis_date()
class OffsetFmt(AutoDateFormatter):
    def __call__(self, x, pos=0):
        return "d:" + super().__call__(x, pos)
axs[3].xaxis.set_major_formatter(OffsetFmt(axs[3].xaxis.get_major_locator()))
fig.autofmt_xdate(rotation=20, which="major")
fig.canvas.draw()
for ax in axs:
    print([t.get_text() for t in ax.get_xticklabels()][:3], ax.xaxis.get_offset_text().get_text())
print(num2date(date2num(base)), axs[2].format_xdata(15000), mdates.get_epoch(), mdates.num2timedelta(1.5), mdates.datestr2num("2020-05-01") if hasattr(mdates, "datestr2num") else None)
mdates.set_epoch if False else None
print(HourLocator(byhour=[0, 12]).MAXTICKS, DayLocator(interval=2).__class__.__mro__ if False else "ok", YearLocator(5, month=7, day=4).tick_values(datetime.datetime(2000, 1, 1), datetime.datetime(2012, 1, 1)).round())
