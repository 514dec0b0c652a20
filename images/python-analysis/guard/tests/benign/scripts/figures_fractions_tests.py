"""Small unit tests for plot helpers, written the way a careful student would."""
import matplotlib.pyplot as plt
import numpy as np
import numpy.testing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, MultipleLocator
from fractions import Fraction


def fraction_axis(axis, denominator=4, symbol=r"\pi", number=np.pi):
    def label(value, _):
        f = Fraction(int(round(value / number * denominator)), denominator)
        if f == 0:
            return "0"
        top = "" if abs(f.numerator) == 1 else str(abs(f.numerator))
        sign = "-" if f < 0 else ""
        return f"${sign}{top}{symbol}$" if f.denominator == 1 else rf"${sign}\frac{{{top or 1}{symbol}}}{{{f.denominator}}}$"
    axis.set_major_locator(MultipleLocator(number / denominator))
    axis.set_major_formatter(FuncFormatter(label))
    return axis


def panel_letters(axes, fmt="({})", **text):
    texts = []
    for k, ax in enumerate(np.ravel(axes)):
        if not isinstance(ax, Axes):
            raise TypeError(f"panel {k} is {type(ax).__name__}")
        texts.append(ax.text(-0.1, 1.05, fmt.format(chr(ord("a") + k)), transform=ax.transAxes, **text))
    return texts


class TestHelpers:
    def setup(self):
        self.fig, self.axes = plt.subplots(2, 2)

    def teardown(self):
        plt.close(self.fig)

    def test_letters(self):
        assert [t.get_text() for t in panel_letters(self.axes)] == ["(a)", "(b)", "(c)", "(d)"]

    def test_fraction(self):
        ax = self.axes[0, 0]
        ax.set_xlim(0, np.pi)
        fraction_axis(ax.xaxis)
        self.fig.canvas.draw()
        labels = [t.get_text() for t in ax.get_xticklabels()]
        assert r"$\frac{1\pi}{2}$" in labels, labels

    def test_refuses(self):
        try:
            panel_letters([self.fig])
        except TypeError as error:
            assert "Figure" in str(error)
        else:
            raise AssertionError("no TypeError")

    def test_data(self):
        line, = self.axes[1, 1].plot([3, 1, 2])
        npt.assert_array_equal(line.get_xydata()[:, 0], [0, 1, 2])
        npt.assert_allclose(self.axes[1, 1].dataLim.bounds, (0, 1, 2, 2))
        assert isinstance(self.fig, Figure)


suite = TestHelpers()
for name in sorted(n for n in dir(suite) if n.startswith("test_")):
    suite.setup()
    try:
        getattr(suite, name)()
        print(name, "ok")
    finally:
        suite.teardown()
fig, ax = plt.subplots()
ax.xaxis.set_major_locator(FixedLocator([0, 1]))
ax.xaxis.set_major_formatter(FixedFormatter(["no", "yes"]))
fig.savefig("x.png")
