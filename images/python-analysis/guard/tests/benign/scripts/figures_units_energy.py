"""Own units: joules and bars of days, with a converter class and axis info."""
import datetime as dt
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import matplotlib.ticker as ticker
import matplotlib.units as units
import numpy as np


class Energy:
    def __init__(self, values, unit="J"):
        self.values, self.unit = np.atleast_1d(np.asarray(values, float)), unit

    def to(self, unit):
        factor = {"J": 1, "kJ": 1e3, "kWh": 3.6e6}
        return Energy(self.values * factor[self.unit] / factor[unit], unit)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return Energy(self.values[i], self.unit)

    def __iter__(self):
        return (Energy(v, self.unit) for v in self.values)


class Converter(units.ConversionInterface):
    @staticmethod
    def convert(value, unit, axis):
        if isinstance(value, Energy):
            found = value.to(unit or value.unit).values
            return found if found.size > 1 else found[0]
        if np.iterable(value):
            return [Converter.convert(v, unit, axis) for v in value]
        return value

    @staticmethod
    def axisinfo(unit, axis):
        return units.AxisInfo(majloc=ticker.MaxNLocator(4), majfmt=ticker.FormatStrFormatter(f"%.1f {unit}"), label=f"energy [{unit}]")

    @staticmethod
    def default_units(value, axis):
        return value.unit if isinstance(value, Energy) else next(iter(value)).unit


units.registry[Energy] = Converter()
use = Energy([2e6, 3.5e6, 8e6, 7.2e6, 5e6])
days = [dt.date(2024, 5, d) for d in range(1, 6)]
fig, (a, b) = plt.subplots(1, 2, figsize=(9, 3))
a.plot(days, use, "s-", yunits="kWh")
a.xaxis.set_major_formatter(mdates.DateFormatter("%d.%m."))
b.plot(use, np.arange(5), xunits="kJ")
fig.canvas.draw()
print([t.get_text() for t in a.get_yticklabels()][:3], a.get_ylabel(), b.get_xlabel(), a.lines[0].get_ydata(orig=False).round(3))
b.xaxis.set_units("J")
fig.canvas.draw()
print(b.get_xlabel())
plt.savefig("energy.png")
cats, ax = ["low", "mid", "high"], plt.figure().gca()
ax.bar(cats, [3, 5, 2])
ax.plot(["mid", "high"], [4, 1], "r*")
print(ax.xaxis.get_majorticklocs(), [t.get_text() for t in ax.get_xticklabels()])
