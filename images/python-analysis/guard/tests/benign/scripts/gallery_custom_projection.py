"""Custom projection: Hammer axes by subclassing GeoAxes."""
import matplotlib
import numpy as np
from matplotlib import spines as mspines
from matplotlib.axes import Axes
import matplotlib.axis as maxis
from matplotlib.patches import Circle
from matplotlib.path import Path
from matplotlib.projections import register_projection
from matplotlib.projections.geo import GeoAxes, HammerAxes
from matplotlib.transforms import Affine2D, BboxTransformTo, Transform
import matplotlib.pyplot as plt

rcParams = matplotlib.rcParams


class MyHammer(HammerAxes):
    name = "my_hammer"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.tagged = True

    class HammerTransform(Transform):
        input_dims = output_dims = 2

        def __init__(self, resolution):
            super().__init__()
            self._resolution = resolution

        def transform_non_affine(self, values):
            longitude, latitude = values.T
            half_long = longitude / 2
            cos_latitude = np.cos(latitude)
            sqrt2 = np.sqrt(2)
            alpha = np.sqrt(1 + cos_latitude * np.cos(half_long))
            x = (2 * sqrt2) * (cos_latitude * np.sin(half_long)) / alpha
            y = (sqrt2 * np.sin(latitude)) / alpha
            return np.column_stack([x, y])

        def transform_path_non_affine(self, path):
            ipath = path.interpolated(self._resolution)
            return Path(self.transform(ipath.vertices), ipath.codes)

        def inverted(self):
            return HammerAxes.InvertedHammerTransform(self._resolution)

    def _get_core_transform(self, resolution):
        return self.HammerTransform(resolution)


register_projection(MyHammer)
fig, ax = plt.subplots(subplot_kw=dict(projection="my_hammer"))
p = ax.plot([-1, 1, 1], [-1, -1, 1], "o-")
ax.grid()
fig.canvas.draw()
print(type(ax).__name__, ax.name, ax.tagged, issubclass(MyHammer, GeoAxes))
plt.show()
