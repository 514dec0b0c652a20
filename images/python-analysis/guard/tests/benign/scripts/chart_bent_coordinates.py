"""Grids that bend: a sheared field survey, a sector of a radar, axes that float and arrows at their ends."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.projections import PolarAxes
from matplotlib.transforms import Affine2D
from mpl_toolkits.axes_grid1 import host_subplot
from mpl_toolkits.axisartist import Axes as ArtistAxes
from mpl_toolkits.axisartist import GridHelperCurveLinear, angle_helper, floating_axes, grid_finder
from mpl_toolkits.axisartist.axislines import AxesZero, AxisArtistHelper, SubplotZero
from mpl_toolkits.axisartist.grid_finder import DictFormatter, FixedLocator, MaxNLocator


def to_field(east, north):
    """The plots of the farm are laid along a stream that turns."""
    east, north = np.asarray(east, float), np.asarray(north, float)
    return east + 0.05 * north**2, north


def from_field(x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    return x - 0.05 * y**2, y


fig = plt.figure(figsize=(9, 6))
farm = fig.add_subplot(2, 2, 1, axes_class=ArtistAxes, grid_helper=GridHelperCurveLinear((to_field, from_field), grid_locator1=MaxNLocator(5)))
farm.plot(*to_field([1, 2, 3, 4], [0, 3, 5, 8]), "g^")
farm.axis["ridge"] = farm.new_floating_axis(1, 4.0, axis_direction="top")
farm.axis["ridge"].label.set_text("ridge")
farm.set(xlim=(0, 8), ylim=(0, 9))
farm.grid(True, ls=":")

ranges = DictFormatter({0: "base", 20: "20 km", 40: "40 km"})
helper = floating_axes.GridHelperCurveLinear(
    Affine2D().scale(np.pi / 180, 1.0) + PolarAxes.PolarTransform(apply_theta_transforms=False),
    extremes=(30, 110, 0, 50),
    grid_locator1=angle_helper.LocatorDMS(4), tick_formatter1=angle_helper.FormatterDMS(),
    grid_locator2=FixedLocator([0, 20, 40]), tick_formatter2=ranges,
)
sector = fig.add_subplot(2, 2, 2, axes_class=floating_axes.FloatingAxes, grid_helper=helper)
sector.scatter([-10, 5, 20], [20, 33, 25], c=[1, 2, 3])
sector.axis["left"].major_ticklabels.set_rotation(10)
sector.axis["bottom"].set_visible(False)

cross = fig.add_subplot(2, 2, 3, axes_class=AxesZero)
cross.axis[:].set_visible(False)
for name in ("xzero", "yzero"):
    cross.axis[name].set_visible(True)
    cross.axis[name].set_axisline_style("->", size=1.5)
cross.plot([-2, -1, 0, 1, 2], [3, -1, 0.5, -2, 2])

host = host_subplot(224, figure=fig)
host.plot([0, 1, 2], [10, 14, 12], label="flow")
turbid, oxygen = host.twinx(), host.twinx()
oxygen.spines["right"].set_position(("outward", 45))
turbid.plot([0, 1, 2], [2, 7, 4], label="turbidity")
oxygen.plot([0, 1, 2], [9, 5, 6], label="oxygen")
host.legend()
fig.canvas.draw()
print(farm.axis["ridge"].label.get_text(), len(host.parasites), [t.get_text() for t in host.get_legend().get_texts()])
print(ranges("left", None, [0, 20, 33]) if callable(ranges) else "", sorted(cross.axis.keys())[:3], type(cross.axis["xzero"].get_axisline_style()).__name__)
print(np.allclose(from_field(*to_field(3, 4)), (3, 4)), isinstance(cross, AxesZero), SubplotZero.__name__ != "", AxisArtistHelper is not None)
print(grid_finder.ExtremeFinderSimple(10, 10)(lambda x, y: (x, y), 0, 0, 1, 1), len(angle_helper.select_step_degree(1)))
