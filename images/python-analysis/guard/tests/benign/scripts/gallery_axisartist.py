"""Axes that float, cross zero and are curved."""
import matplotlib.pyplot as plt
import mpl_toolkits.axisartist.angle_helper as angle_helper
import numpy as np
from matplotlib.projections import PolarAxes
from matplotlib.transforms import Affine2D
from mpl_toolkits import axisartist
from mpl_toolkits.axisartist import HostAxes, Subplot
from mpl_toolkits.axisartist.axislines import AxesZero
from mpl_toolkits.axisartist.floating_axes import FloatingSubplot, GridHelperCurveLinear
from mpl_toolkits.axisartist.grid_finder import FixedLocator, MaxNLocator

fig = plt.figure()
ax = fig.add_subplot(axes_class=AxesZero)
for direction in ("xzero", "yzero"):
    ax.axis[direction].set_axisline_style("-|>")
    ax.axis[direction].set_visible(True)
for direction in ("left", "right", "bottom", "top"):
    ax.axis[direction].set_visible(False)
x = np.linspace(-0.5, 1.0, 50)
ax.plot(x, np.sin(x * np.pi))
fig.canvas.draw()
fig = plt.figure()
curved = GridHelperCurveLinear(
    Affine2D().scale(np.pi / 180, 1) + PolarAxes.PolarTransform(apply_theta_transforms=False),
    extremes=(0, 90, 1, 3),
    grid_locator1=angle_helper.LocatorDMS(4),
    grid_locator2=MaxNLocator(4),
    tick_formatter1=angle_helper.FormatterDMS(),
)
ax = fig.add_subplot(111, axes_class=axisartist.floating_axes.FloatingAxes, grid_helper=curved)
ax.axis["left"].label.set_text("radius")
ax.grid(True)
ax.get_aux_axes(curved.grid_finder.get_transform()).plot([10, 40, 80], [1.5, 2, 2.5])
fig.canvas.draw()
print(ax.axis["left"].label.get_text(), FloatingSubplot is not None, HostAxes.__name__, Subplot is not None)
print(FixedLocator([1, 2])(0, 3)[1])
