"""Blood glucose in two units on one axis; ratings as text; a converter for each."""
from functools import total_ordering

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import units
from matplotlib.ticker import FixedLocator, FormatStrFormatter, MaxNLocator, FuncFormatter


@total_ordering
class Glucose:
    PER = {"mmol/l": 1.0, "mg/dl": 18.016}

    def __init__(self, amount, unit="mmol/l"):
        self.amount, self.unit = float(amount), unit

    def within(self, unit):
        return self.amount / self.PER[self.unit] * self.PER[unit]

    def __eq__(self, other):
        return isinstance(other, Glucose) and np.isclose(self.within("mmol/l"), other.within("mmol/l"))

    def __lt__(self, other):
        return self.within("mmol/l") < other.within("mmol/l")

    def __hash__(self):
        return hash(round(self.within("mmol/l"), 6))

    def __repr__(self):
        return f"{self.amount:g} {self.unit}"


class GlucoseConverter(units.ConversionInterface):
    @staticmethod
    def default_units(x, axis):
        return x.unit if isinstance(x, Glucose) else next((each.unit for each in np.ravel(x)), None)

    @staticmethod
    def convert(obj, unit, axis):
        if isinstance(obj, Glucose):
            return obj.within(unit)
        return [each.within(unit) if isinstance(each, Glucose) else each for each in obj] if np.iterable(obj) else obj

    @staticmethod
    def axisinfo(unit, axis):
        return units.AxisInfo(majloc=MaxNLocator(5), majfmt=FormatStrFormatter("%.0f" if unit == "mg/dl" else "%.1f"), label=unit)


class Pain(str):
    LEVELS = ("none", "slight", "strong", "worst")


class PainConverter(units.ConversionInterface):
    @staticmethod
    def convert(obj, unit, axis):
        one = lambda each: Pain.LEVELS.index(each) if isinstance(each, str) else each
        return one(obj) if isinstance(obj, str) or not np.iterable(obj) else np.array([one(each) for each in obj], dtype=float)

    @staticmethod
    def axisinfo(unit, axis):
        return units.AxisInfo(majloc=FixedLocator(range(4)), majfmt=FuncFormatter(lambda v, p: Pain.LEVELS[int(v)]), default_limits=(0, 3))

    @staticmethod
    def default_units(x, axis):
        return None


units.registry[Glucose] = GlucoseConverter()
units.registry[Pain] = PainConverter()
values = [Glucose(5.1), Glucose(126, "mg/dl"), Glucose(9.4)]
fig, (left, right, third) = plt.subplots(1, 3, figsize=(9, 3))
left.plot([0, 1, 2], values, "o-")
right.plot([0, 1, 2], values, "s-", yunits="mg/dl")
right.axhline(Glucose(7), ls="--")
third.scatter([1, 2, 3], [Pain("slight"), Pain("none"), Pain("worst")])
fig.canvas.draw()
print(left.get_ylabel(), right.get_ylabel(), right.yaxis.get_units(), sorted(values), Glucose(1) == Glucose(18.016, "mg/dl"))
print([round(float(y), 1) for y in right.lines[0].get_ydata(orig=False)], [t.get_text() for t in third.get_yticklabels()])
left.yaxis.set_units("mg/dl")
fig.canvas.draw()
print(round(float(left.lines[0].get_ydata(orig=False)[0]), 1), isinstance(units.registry.get_converter([values[0]]), GlucoseConverter))
print(len({Glucose(5), Glucose(5.0), Glucose(6)}), left.convert_yunits(Glucose(10)))
