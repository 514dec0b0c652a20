import numpy as np
import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import colors as mcolors, cm
from matplotlib.colors import (ListedColormap, LinearSegmentedColormap, Normalize, LogNorm, TwoSlopeNorm, CenteredNorm, PowerNorm, BoundaryNorm, NoNorm, FuncNorm, AsinhNorm,
                               to_rgba, to_hex, to_rgb, to_rgba_array, is_color_like, same_color, rgb_to_hsv, hsv_to_rgb, LightSource, CSS4_COLORS, TABLEAU_COLORS, XKCD_COLORS,
                               BASE_COLORS, ColorConverter, from_levels_and_colors, ColorSequenceRegistry)

class MidpointNormalize(mcolors.Normalize):
    def __init__(self, vmin=None, vmax=None, midpoint=None, clip=False):
        self.midpoint = midpoint
        super().__init__(vmin, vmax, clip)

    def __call__(self, value, clip=None):
        x, y = [self.vmin, self.midpoint, self.vmax], [0, 0.5, 1]
        return np.ma.masked_array(np.interp(value, x, y, left=-np.inf, right=np.inf))

    def inverse(self, value):
        return np.interp(value, [0, 0.5, 1], [self.vmin, self.midpoint, self.vmax])

fig, ax = plt.subplots()
m = ax.imshow(np.arange(-3, 6).reshape(3, 3), norm=MidpointNormalize(-3, 5, 0), cmap="RdBu_r")
cb = fig.colorbar(m, ticks=[-3, 0, 5], extend="both")
cb.ax.set_yticklabels(["low", "mid", "high"]); cb.set_label("x", rotation=270, labelpad=10); cb.minorticks_on(); cb.outline.set_visible(False); cb.solids.set_edgecolor("face")
cdict = {"red": [(0, 0, 0), (1, 1, 1)], "green": [(0, 0, 0), (0.5, 1, 0), (1, 1, 1)], "blue": [(0, 0, 0), (1, 0, 0)]}
cmap = LinearSegmentedColormap("mine", cdict, N=128, gamma=1.2)
mpl.colormaps.register(cmap); mpl.colormaps.register(ListedColormap(["r", "g"], name="two"), force=True)
print(mpl.colormaps["mine"](0.5), plt.get_cmap("two", 2).colors, cmap.reversed().name, cmap._lut.shape if hasattr(cmap, "_lut") and cmap._lut is not None else "lazy", cmap.resampled(4).N, "mine" in list(mpl.colormaps))
mpl.colormaps.unregister("mine")
viridis = mpl.colormaps["viridis"].resampled(8); nc = viridis(np.linspace(0, 1, 8)); nc[:2] = to_rgba("pink")
lc = ListedColormap(nc).with_extremes(bad="k", under="b", over="y")
print(lc.get_bad(), lc([-0.1, np.nan, 2]).tolist(), lc == lc.copy(), len(lc._repr_png_()) > 100 if False else "png")
for norm in (LogNorm(1, 10), TwoSlopeNorm(0, -1, 2), CenteredNorm(1, 2), PowerNorm(0.5, 0, 4), FuncNorm((np.sqrt, np.square), 0, 4), AsinhNorm(vmin=-1, vmax=1)):
    print(type(norm).__name__, np.ma.filled(norm([1, 2]), -1).round(3), np.asarray(norm.inverse(norm(1.5))).round(3))
cmap2, norm2 = from_levels_and_colors([1, 2, 3], ["r", "g"]); print(norm2([1.5, 2.5]), cmap2.N)
print(to_hex((0.1, 0.2, 0.3, 0.4), keep_alpha=True), to_rgba("C1", 0.5), to_rgba(("r", 0.3)), to_rgba_array(["k", "0.5"]).shape, is_color_like("nope"), same_color("r", "#f00"), len(XKCD_COLORS), list(TABLEAU_COLORS)[0], hsv_to_rgb(rgb_to_hsv([0.2, 0.3, 0.4])).round(2))
ls = LightSource(315, 45); z = np.outer(np.hanning(8), np.hanning(8))
print(ls.shade(z, cmap=plt.cm.gist_earth, blend_mode="soft", vert_exag=10).shape, ls.hillshade(z).round(3)[0, 0], ls.blend_overlay(np.ones((8, 8, 3)), z[..., None]).shape, ls.direction.round(3))
print(plt.color_sequences["tab10"][:1], mpl.color_sequences["Set1"][0], cm.ScalarMappable(norm=Normalize(0, 10), cmap="jet").to_rgba([5]).shape, cm.get_cmap if hasattr(cm, "get_cmap") else 0 and 1, sorted(CSS4_COLORS, key=lambda c: tuple(rgb_to_hsv(to_rgb(c))))[:2])
names = mcolors.get_named_colors_mapping(); names["brand"] = "#123456"; print(to_hex("brand"), plt.cm.viridis.name, mpl.cm.hot(0.2)[:2], callable(mcolors.LogNorm.autoscale_None))
