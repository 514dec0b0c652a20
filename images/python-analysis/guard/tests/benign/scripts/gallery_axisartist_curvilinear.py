"""axisartist: curvelinear grids, floating axes, ticklabel alignment."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.projections import PolarAxes
from matplotlib.transforms import Affine2D
import mpl_toolkits.axisartist as AA
from mpl_toolkits.axisartist import Axes, HostAxes, SubplotHost, angle_helper
import mpl_toolkits.axisartist.floating_axes as floating_axes
from mpl_toolkits.axisartist.grid_finder import DictFormatter, FixedLocator, MaxNLocator
from mpl_toolkits.axisartist.grid_helper_curvelinear import GridHelperCurveLinear
from mpl_toolkits.axisartist.axislines import AxesZero


def curvelinear_test1(fig):
    def tr(x, y):
        return x, y - x

    def inv_tr(x, y):
        return x, y + x

    grid_helper = GridHelperCurveLinear((tr, inv_tr))
    ax1 = fig.add_subplot(1, 2, 1, axes_class=Axes, grid_helper=grid_helper)
    xx, yy = tr(np.array([3, 6]), np.array([5, 10]))
    ax1.plot(xx, yy)
    ax1.set_aspect(1)
    ax1.axis["t"] = ax1.new_floating_axis(0, 3)
    ax1.axis["t2"] = ax1.new_floating_axis(1, 7)
    ax1.grid(True, zorder=0)
    return ax1


def setup_axes2(fig, rect):
    tr = PolarAxes.PolarTransform()
    pi = np.pi
    angle_ticks = [(0, r"$0$"), (.25 * pi, r"$\frac{1}{4}\pi$"), (.5 * pi, r"$\frac{1}{2}\pi$")]
    grid_helper = floating_axes.GridHelperCurveLinear(tr, extremes=(.5 * pi, 0, 2, 1), grid_locator1=FixedLocator([v for v, s in angle_ticks]),
                                                      grid_locator2=MaxNLocator(2), tick_formatter1=DictFormatter(dict(angle_ticks)), tick_formatter2=None)
    ax1 = fig.add_subplot(rect, axes_class=floating_axes.FloatingAxes, grid_helper=grid_helper)
    ax1.grid()
    aux_ax = ax1.get_aux_axes(tr)
    aux_ax.patch = ax1.patch
    ax1.patch.zorder = 0.9
    return ax1, aux_ax


fig = plt.figure(figsize=(7, 4))
a1 = curvelinear_test1(fig)
a2, aux = setup_axes2(fig, 122)
aux.scatter(np.random.default_rng(0).random(10), 1 + np.random.default_rng(0).random(10))
fig2 = plt.figure()
az = fig2.add_subplot(axes_class=AxesZero)
for direction in ["xzero", "yzero"]:
    az.axis[direction].set_axisline_style("-|>")
    az.axis[direction].set_visible(True)
for direction in ["left", "right", "bottom", "top"]:
    az.axis[direction].set_visible(False)
x = np.linspace(-0.5, 1., 100)
az.plot(x, np.sin(x * np.pi))
az.axis["xzero"].label.set_text("x")
az.axis["xzero"].major_ticklabels.set_axis_direction("top")
fig.canvas.draw()
fig2.canvas.draw()
print(sorted(k for k in ("left", "t", "t2") if k in a1.axis), type(aux).__name__)
