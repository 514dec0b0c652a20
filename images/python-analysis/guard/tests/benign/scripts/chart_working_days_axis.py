"""A series of working days without gaps at weekends, quarters below, and time zones of three sites."""
import datetime as dt
from zoneinfo import ZoneInfo

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from dateutil.rrule import MONTHLY, rrule
from matplotlib.ticker import Formatter, IndexLocator, NullLocator


class DayOfWork(Formatter):
    """The n-th working day by its date; nothing outside of the data."""

    def __init__(self, days, pattern="%d.%m."):
        self.days, self.pattern = list(days), pattern

    def __call__(self, value, position=None):
        place = int(round(value))
        return self.days[place].strftime(self.pattern) if 0 <= place < len(self.days) else ""

    def format_ticks(self, values):
        self.set_locs(values)
        return [self(value, position) for position, value in enumerate(values)]


days = pd.bdate_range("2031-03-03", periods=45)
load = 200 + np.cumsum(np.resize([4, -3, 6, -5, 1], 45))
fig, axes = plt.subplots(3, 1, figsize=(7, 7), layout="constrained")
axes[0].plot(range(45), load)
axes[0].xaxis.set(major_locator=IndexLocator(10, 0), major_formatter=DayOfWork(days), minor_locator=NullLocator())
axes[1].plot(days, load, drawstyle="steps-post")
axes[1].xaxis.set_major_locator(mdates.WeekdayLocator(byweekday=(mdates.TU, mdates.FR), interval=2))
axes[1].xaxis.set_major_formatter(mdates.DateFormatter("%a %d"))
axes[1].xaxis.set_minor_locator(mdates.DayLocator(bymonthday=range(1, 32, 3)))
axes[1].axvspan(dt.datetime(2031, 3, 17), dt.datetime(2031, 3, 21), alpha=0.2)
start = dt.datetime(2031, 10, 25, 18, tzinfo=ZoneInfo("Europe/Vienna"))
hours = mdates.drange(start, start + dt.timedelta(hours=30), dt.timedelta(hours=5))
axes[2].plot(hours, range(len(hours)), "d")
axes[2].xaxis_date(tz="Asia/Tokyo")
where = mdates.AutoDateLocator(minticks=2, maxticks=5, tz=ZoneInfo("Asia/Tokyo"))
axes[2].xaxis.set(major_locator=where, major_formatter=mdates.ConciseDateFormatter(where, tz=ZoneInfo("Asia/Tokyo")))
fig.autofmt_xdate(rotation=25, ha="right", which="major")
fig.canvas.draw()
print([label.get_text() for label in axes[0].get_xticklabels()])
print([label.get_text() for label in axes[1].get_xticklabels()])
print(mdates.num2date(hours[0], tz=ZoneInfo("UTC")).isoformat(), len(hours), mdates.get_epoch())
quarters = [day.date().isoformat() for day in rrule(MONTHLY, dtstart=dt.datetime(2031, 1, 1), count=4, interval=3)]
rule = mdates.RRuleLocator(mdates.rrulewrapper(mdates.MONTHLY, interval=3, bymonthday=1))
print(quarters, [mdates.num2date(v).month for v in rule.tick_values(dt.datetime(2031, 1, 2), dt.datetime(2031, 12, 30))])
print(mdates.date2num(np.datetime64("2031-03-03")) == mdates.date2num(days[0]), mdates.num2timedelta(1.5), axes[1].format_xdata(hours[0])[:4])
