import numpy as np
import matplotlib.pyplot as plt
import matplotlib.units as units
import matplotlib.ticker as ticker
from matplotlib import dates
import datetime, decimal

class Quantity:
    def __init__(self, value, unit):
        self.value = np.asarray(value, float)
        self._unit = unit

    def to(self, unit):
        factor = {("m", "km"): 1e-3, ("km", "m"): 1e3}.get((self._unit, unit), 1)
        return Quantity(self.value * factor, unit)

    def __getattr__(self, name):
        if name in ("value", "_unit"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def __getitem__(self, i):
        return Quantity(self.value[i], self._unit)

    def __len__(self):
        return len(self.value)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.value, dtype)

class QuantityConverter(units.ConversionInterface):
    @staticmethod
    def convert(value, unit, axis):
        if isinstance(value, Quantity):
            return value.to(unit).value
        if np.iterable(value):
            return [QuantityConverter.convert(v, unit, axis) for v in value]
        return value

    @staticmethod
    def axisinfo(unit, axis):
        return units.AxisInfo(label=f"in {unit}", majloc=ticker.MaxNLocator(4), majfmt=ticker.FormatStrFormatter("%g u"), default_limits=(0, 1))

    @staticmethod
    def default_units(x, axis):
        return x._unit if isinstance(x, Quantity) else None

units.registry[Quantity] = QuantityConverter()
fig, ax = plt.subplots()
q = Quantity([1000, 2000, 3000], "m")
ax.xaxis.set_units("km")
ax.plot(q, [1, 2, 3])
ax.yaxis.axis_date(tz="UTC") if False else None
fig.canvas.draw()
print(ax.xaxis.get_label_text(), ax.xaxis.get_units(), [t.get_text() for t in ax.get_xticklabels()], ax.lines[0].get_xdata(orig=False), ax.xaxis.have_units(), ax.convert_xunits(Quantity([5], "km")))
print(decimal.Decimal in units.registry, datetime.date in units.registry, type(units.registry[datetime.datetime]).__name__, ax.xaxis.get_converter() is not None)
plt.figure(); plt.plot([decimal.Decimal("1.5"), decimal.Decimal("2")], ["a", "b"])
print(plt.gca().yaxis.get_units().__class__.__name__, plt.gca().dataLim.bounds)
