"""Own locator, formatter, scale and colour map for pH and concentration axes."""
import matplotlib.pyplot as plt
import matplotlib.scale as mscale
import matplotlib.ticker as mticker
import matplotlib.transforms as mtransforms
import numpy as np
from matplotlib.colors import ListedColormap, Normalize


class CubeRoot(mscale.ScaleBase):
    name = "cuberoot"

    def __init__(self, axis, **kw):
        super().__init__(axis)

    def get_transform(self):
        return self.Root()

    def set_default_locators_and_formatters(self, axis):
        axis.set_major_locator(Cubes())
        axis.set_major_formatter(Units("mol"))
        axis.set_minor_locator(mticker.AutoMinorLocator(2))

    class Root(mtransforms.Transform):
        input_dims = output_dims = 1

        def transform_non_affine(self, values):
            return np.cbrt(values)

        def inverted(self):
            return CubeRoot.Cube()

    class Cube(mtransforms.Transform):
        input_dims = output_dims = 1

        def transform_non_affine(self, values):
            return np.asarray(values) ** 3

        def inverted(self):
            return CubeRoot.Root()


class Cubes(mticker.Locator):
    def __call__(self):
        low, high = self.axis.get_view_interval()
        return self.tick_values(low, high)

    def tick_values(self, vmin, vmax):
        ticks = np.arange(np.floor(np.cbrt(vmin)), np.ceil(np.cbrt(vmax)) + 1) ** 3
        return self.raise_if_exceeds(ticks[(ticks >= vmin) & (ticks <= vmax)])


class Units(mticker.Formatter):
    def __init__(self, unit):
        self.unit = unit

    def __call__(self, x, pos=None):
        return f"{x:.0f} {self.unit}" if pos == 0 else f"{x:.0f}"


class Centre(Normalize):
    def __init__(self, centre=7, vmin=None, vmax=None, clip=False):
        self.centre = centre
        super().__init__(vmin, vmax, clip)

    def __call__(self, value, clip=None):
        return np.ma.masked_array(np.interp(value, [self.vmin, self.centre, self.vmax], [0, 0.5, 1]))

    def inverse(self, value):
        return np.interp(value, [0, 0.5, 1], [self.vmin, self.centre, self.vmax])


mscale.register_scale(CubeRoot)
rng = np.random.default_rng(13)
c, ph = rng.uniform(0, 200, 80), rng.normal(7, 1.2, 80)
fig, ax = plt.subplots()
dots = ax.scatter(c, ph, c=ph, norm=Centre(vmin=3, vmax=11), cmap=ListedColormap(plt.get_cmap("coolwarm")(np.linspace(0, 1, 9)), "ph"))
ax.set_xscale("cuberoot")
ax.set_xlim(0, 220)
fig.canvas.draw()
fig.colorbar(dots)
fig.savefig("ph.png")
print([t.get_text() for t in ax.get_xticklabels()], ax.get_xscale(), "cuberoot" in mscale.get_scale_names())
