import datetime as dt
import numpy as np
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

start = dt.date(2023, 1, 1)
days = [start + dt.timedelta(days=i) for i in range(365)]
rng = np.random.default_rng(2)
price = 100 * np.exp(np.cumsum(rng.normal(0.0005, 0.015, len(days))))
drawdown = price / np.maximum.accumulate(price) - 1

fig, (ax, low) = plt.subplots(2, 1, figsize=(10, 6), sharex=True, gridspec_kw={"height_ratios": [3, 1], "hspace": 0.05})
ax.plot(days, price, lw=1)
ax.yaxis.set_major_formatter(FuncFormatter(lambda v, pos: f"${v:,.0f}"))
ax.yaxis.set_major_locator(MaxNLocator(nbins=6))
ax.grid(True, which="both", ls=":")
low.fill_between(days, drawdown, 0, color="firebrick", alpha=0.5)
low.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
low.xaxis.set_major_locator(mdates.MonthLocator(interval=2))
low.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
i = int(np.argmin(drawdown))
low.annotate("max drawdown", xy=(days[i], drawdown[i]), xytext=(20, 10), textcoords="offset points", arrowprops=dict(arrowstyle="->"))
fig.autofmt_xdate()
fig.savefig("price.png")
print(f"max drawdown {drawdown.min():.1%} on {days[i]:%d %B %Y}")
print(mdates.num2date(mdates.date2num(days[0])).date(), len(low.get_xticks()) > 3)
