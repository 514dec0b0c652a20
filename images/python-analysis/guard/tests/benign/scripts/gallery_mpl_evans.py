import numpy as np
import matplotlib.pyplot as plt
import matplotlib.ticker as ticker
import matplotlib.units as units
class Foo:
    def __init__(self, val, unit=1.0): self.unit = unit; self._val = val * unit
    def value(self, unit): return self._val / (unit if unit is not None else self.unit)
class FooConverter(units.ConversionInterface):
    @staticmethod
    def axisinfo(unit, axis): return units.AxisInfo(majloc=ticker.IndexLocator(8, 0), majfmt=ticker.FormatStrFormatter("VAL: %s"), label="foo") if unit else None
    @staticmethod
    def convert(obj, unit, axis): return [o.value(unit) for o in obj] if np.iterable(obj) else obj.value(unit)
    @staticmethod
    def default_units(x, axis): return next((t.unit for t in x), None) if np.iterable(x) else x.unit
units.registry[Foo] = FooConverter(); x = [Foo(v, 1.0) for v in range(0, 50, 2)]; y = list(range(25)); fig, (a, b) = plt.subplots(1, 2); a.xaxis.set_units(2.0); a.plot(x, y, "o"); b.plot(x, y); fig.canvas.draw(); print([t.get_text() for t in b.get_xticklabels()][:2], a.get_xlabel())
