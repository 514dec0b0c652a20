"""Artist tests with user-defined units: register a converter."""
import numpy as np
import matplotlib.pyplot as plt
import matplotlib.ticker as ticker
import matplotlib.units as units


class Money:
    def __init__(self, value, currency):
        self.value = value
        self.currency = currency

    def __repr__(self):
        return f"Money({self.value!r}, {self.currency!r})"


class MoneyConverter(units.ConversionInterface):
    rates = {"EUR": 1.0, "USD": 1.1}

    @staticmethod
    def convert(value, unit, axis):
        if isinstance(value, Money):
            return value.value * MoneyConverter.rates[unit] / MoneyConverter.rates[value.currency]
        if np.iterable(value):
            return [MoneyConverter.convert(v, unit, axis) for v in value]
        return value

    @staticmethod
    def axisinfo(unit, axis):
        fmt = ticker.FormatStrFormatter("%.2f")
        return units.AxisInfo(majloc=ticker.AutoLocator(), majfmt=fmt, label=unit)

    @staticmethod
    def default_units(x, axis):
        first = x if isinstance(x, Money) else next(iter(x))
        return first.currency


units.registry[Money] = MoneyConverter()
fig, ax = plt.subplots()
ax.plot([1, 2, 3], [Money(1, "EUR"), Money(2.2, "USD"), Money(4, "EUR")], "o", yunits="USD")
ax.axhline(Money(3, "EUR"), ls="--")
fig.canvas.draw()
print(ax.get_ylabel(), ax.yaxis.get_units(), ax.yaxis.get_label().get_text())
print([t.get_text() for t in ax.get_yticklabels()][:3])
