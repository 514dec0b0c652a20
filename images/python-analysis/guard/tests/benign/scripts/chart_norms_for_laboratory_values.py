"""Colours for laboratory values: a norm that is flat within the reference range, colour maps put together, light on a relief."""
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colors
from matplotlib.cm import ScalarMappable


class ReferenceNorm(colors.Normalize):
    """White from low to high; the hues beneath and above grow by their own spans."""

    def __init__(self, vmin, low, high, vmax, band=0.2):
        super().__init__(vmin, vmax, clip=True)
        self.low, self.high, self.band = low, high, band

    def _knots(self):
        half = self.band / 2
        return [self.vmin, self.low, self.high, self.vmax], [0.0, 0.5 - half, 0.5 + half, 1.0]

    def __call__(self, value, clip=None):
        data, scalar = self.process_value(value)
        result = np.ma.array(np.interp(data.filled(np.nan), *self._knots()), mask=data.mask)
        return result[0] if scalar else result

    def inverse(self, value):
        inner, outer = self._knots()[::-1]
        return np.interp(value, inner, outer)


class Weekly(colors.ListedColormap):
    def __init__(self):
        super().__init__([colors.hsv_to_rgb((k / 7, 0.5 + 0.1 * (k % 2), 0.9)) for k in range(7)], name="weekly")
        self.set_extremes(bad="k", under="0.2", over="0.8")


potassium = np.array([[2.9, 3.4, 3.9], [4.4, 5.2, 6.6], [np.nan, 4.0, 7.5]])
norm = ReferenceNorm(2.5, 3.5, 5.0, 7.5)
print(norm(np.array([2.5, 3.5, 4.2, 5.0, 7.5])).round(3).tolist(), round(float(norm.inverse(0.5)), 2), norm.scaled())
mpl.colormaps.register(Weekly())
fig, axes = plt.subplots(2, 3, figsize=(9, 5), layout="constrained")
shown = axes[0, 0].imshow(potassium, norm=norm, cmap="coolwarm")
bar = fig.colorbar(shown, ax=axes[0, 0], ticks=[2.5, 3.5, 5, 7.5], extend="max", spacing="proportional", shrink=0.8)
bar.ax.set_yticklabels(["very low", "low", "high", "very high"])
bar.ax.axhline(4.2, color="k")
others = [colors.LogNorm(0.1, 1000), colors.SymLogNorm(linthresh=1, base=10, vmin=-50, vmax=50), colors.PowerNorm(0.4), colors.TwoSlopeNorm(1, vmin=0, vmax=9),
          colors.BoundaryNorm([0, 1, 3, 9], 256, extend="max")]
for axis, other in zip(axes.flat[1:], others):
    mesh = axis.pcolormesh(np.arange(5), np.arange(4), np.arange(1, 13).reshape(3, 4) * 0.7, norm=other, cmap="weekly", edgecolors="face")
    fig.colorbar(mesh, ax=axis, orientation="horizontal").minorticks_off()
fig.canvas.draw()
print([label.get_text() for label in bar.ax.get_yticklabels()], type(bar.norm).__name__, bar.extend, mesh.cmap.name)
joined = colors.ListedColormap(np.vstack([plt.get_cmap("Blues_r")(np.linspace(0, 1, 3)), plt.get_cmap("Reds")(np.linspace(0, 1, 3))]), "tides")
ramp = colors.LinearSegmentedColormap.from_list("ramp", [(0, "navy"), (0.3, "#ffee88"), (1, (0.5, 0, 0))], N=16, gamma=1.2)
print(joined.N, colors.to_hex(ramp(0)), colors.to_hex(joined(5)), ramp.reversed().name, joined.with_extremes(bad="r") == joined, ramp.resampled(4).N)
print(colors.to_rgba("C3", 0.4), colors.is_color_like("xkcd:sage"), colors.same_color("w", "#fff"), colors.to_rgba_array(["r", "0.5"]).shape, len(colors.CSS4_COLORS))
relief = colors.LightSource(azdeg=200, altdeg=35)
ground = np.add.outer(np.sin(np.arange(12)), np.cos(np.arange(12)))
print(relief.hillshade(ground, vert_exag=0.5, dx=2).shape, relief.shade(ground, ramp, blend_mode=lambda rgb, light: rgb * light).max() <= 1)
mapper = ScalarMappable(norm=colors.Normalize(0, 10), cmap="weekly")
mapper.set_array([])
print(mapper.to_rgba([3, 11], bytes=True).tolist(), mapper.get_clim(), mapper.get_cmap().get_over().round(1).tolist())
cmap, steps = colors.from_levels_and_colors([0, 5, 9], ["g", "y"])
print(cmap.N, steps(7), colors.rgb_to_hsv([0.2, 0.4, 0.4]).round(2).tolist(), mpl.color_sequences["tab10"][0] != "")
