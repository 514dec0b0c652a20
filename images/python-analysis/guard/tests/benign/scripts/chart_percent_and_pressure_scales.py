"""Scales for a weather diary: a reciprocal scale for temperatures, one that stretches the comfortable range."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import scale as scales
from matplotlib.ticker import AutoMinorLocator, FixedLocator, Formatter, MaxNLocator, NullFormatter, PercentFormatter, StrMethodFormatter
from matplotlib.transforms import Transform


class ReciprocalTransform(Transform):
    """1000/T of a temperature in kelvin, mirrored so that hot stays on the right."""

    input_dims = output_dims = 1
    is_separable = has_inverse = True

    def __init__(self, offset):
        super().__init__()
        self.offset = offset

    def transform_non_affine(self, values):
        with np.errstate(divide="ignore", invalid="ignore"):
            return -1000.0 / (np.asarray(values, dtype=float) + self.offset)

    def inverted(self):
        return ReciprocalBack(self.offset)


class ReciprocalBack(Transform):
    input_dims = output_dims = 1
    is_separable = has_inverse = True

    def __init__(self, offset):
        super().__init__()
        self.offset = offset

    def transform_non_affine(self, values):
        return -1000.0 / np.asarray(values, dtype=float) - self.offset

    def inverted(self):
        return ReciprocalTransform(self.offset)


class Degrees(Formatter):
    def __call__(self, value, position=None):
        return f"{value:+.0f} C" if value else "freezing"

    def format_data_short(self, value):
        return f"{value:.1f}"


class ReciprocalScale(scales.ScaleBase):
    name = "reciprocal"

    def __init__(self, axis, *, offset=273.15):
        super().__init__(axis)
        self.offset = offset

    def get_transform(self):
        return ReciprocalTransform(self.offset)

    def set_default_locators_and_formatters(self, axis):
        axis.set_major_locator(FixedLocator([-20, 0, 20, 40, 80]))
        axis.set_minor_locator(FixedLocator([-10, 10, 30, 60]))
        axis.set_major_formatter(Degrees())
        axis.set_minor_formatter(NullFormatter())

    def limit_range_for_scale(self, low, high, minpos):
        return max(low, 1 - self.offset), max(high, 2 - self.offset)


class ComfortScale(scales.FuncScale):
    name = "comfort"

    def __init__(self, axis, *, low=30.0, high=60.0, zoom=3.0):
        at = np.array([0.0, low, high, 100.0])
        to = np.array([0.0, low, low + zoom * (high - low), low + zoom * (high - low) + 100 - high])
        super().__init__(axis, functions=(lambda v: np.interp(v, at, to), lambda v: np.interp(v, to, at)))

    def set_default_locators_and_formatters(self, axis):
        super().set_default_locators_and_formatters(axis)
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(PercentFormatter())


for each in (ReciprocalScale, ComfortScale):
    scales.register_scale(each)
print({"reciprocal", "comfort"} <= set(scales.get_scale_names()))
kelvin = np.linspace(-25, 90, 60)
humidity = 45 + 30 * np.sin(kelvin / 17)
fig, axes = plt.subplots(2, 2, layout="constrained")
axes[0, 0].plot(kelvin, humidity)
axes[0, 0].set_xscale("reciprocal", offset=273.15)
axes[0, 1].plot(humidity)
axes[0, 1].set_yscale("comfort", zoom=4)
axes[1, 0].plot([0.2, 4, 900], [3, 2, 1])
axes[1, 0].set_xscale("log", base=5, nonpositive="clip")
axes[1, 0].set_yscale("symlog", linthresh=0.5)
axes[1, 1].plot([-30, -1, 0, 1, 45])
axes[1, 1].set_yscale("asinh", linear_width=2)
axes[1, 1].yaxis.set_minor_locator(AutoMinorLocator(2)) if axes[1, 1].get_yscale() == "linear" else None
axes[1, 1].xaxis.set_major_formatter(StrMethodFormatter("day {x:.0f}"))
fig.canvas.draw()
print([(ax.get_xscale(), ax.get_yscale()) for ax in axes.flat])
print([label.get_text() for label in axes[0, 0].get_xticklabels()], axes[0, 0].get_xlim()[0] > -273)
there = ReciprocalTransform(273.15)
print(np.allclose(there.inverted().transform(there.transform([0.0, 25.0])), [0, 25]), Degrees().format_data_short(3.14159))
print([label.get_text() for label in axes[0, 1].get_yticklabels()][:3], type(axes[0, 1].yaxis.get_transform()).__name__)
