"""Colormap normalizations: user-defined norm, boundary, two slope, func."""
import matplotlib.cbook as cbook
import matplotlib.pyplot as plt
import numpy as np
import matplotlib.colors as mcolors
import matplotlib as mpl


class MidpointNormalize(mcolors.Normalize):
    def __init__(self, vmin=None, vmax=None, vcenter=None, clip=False):
        self.vcenter = vcenter
        super().__init__(vmin, vmax, clip)

    def __call__(self, value, clip=None):
        x, y = [self.vmin, self.vcenter, self.vmax], [0, 0.5, 1.]
        return np.ma.masked_array(np.interp(value, x, y, left=-np.inf, right=np.inf))

    def inverse(self, value):
        y, x = [self.vmin, self.vcenter, self.vmax], [0, 0.5, 1]
        return np.interp(value, x, y, left=-np.inf, right=np.inf)


X, Y = np.mgrid[-3:3:40j, -2:2:40j]
Z = 2 * np.exp(-X ** 2 - Y ** 2) - 2 * np.exp(-(X - 1) ** 2 - (Y - 1) ** 2)
fig, axs = plt.subplots(3, 2, layout="constrained")
norms = [MidpointNormalize(vmin=-1.5, vcenter=0.5, vmax=2), mcolors.BoundaryNorm(boundaries=np.linspace(-1.5, 1.5, 7), ncolors=256, extend="both"),
         mcolors.SymLogNorm(linthresh=0.03, linscale=0.03, vmin=-1.0, vmax=1.0, base=10), mcolors.TwoSlopeNorm(vmin=-2, vcenter=0, vmax=1),
         mcolors.FuncNorm((np.sinh, np.arcsinh), vmin=-1, vmax=1), mcolors.CenteredNorm()]
for ax, norm in zip(axs.flat, norms):
    pcm = ax.pcolormesh(X, Y, Z, norm=norm, cmap="RdBu_r", shading="auto")
    cb = fig.colorbar(pcm, ax=ax, extend="both", orientation="vertical", ticks=[-1, 0, 1], format=mpl.ticker.ScalarFormatter())
    print(type(norm).__name__, np.round(float(norm(0.25)), 4))
cmap = mcolors.LinearSegmentedColormap.from_list("mine", ["navy", (1, 1, 1), "#ff0000"], N=5)
cmap2 = mpl.colormaps["viridis"].resampled(8).with_extremes(under="k", over="w", bad="0.5")
mpl.colormaps.register(cmap, name="mine2")
print(mpl.colormaps["mine2"](0.0), cmap2(-0.1), mcolors.to_hex("tab:blue"), mcolors.rgb_to_hsv((0.2, 0.4, 0.6)).round(3))
cdict = {"red": [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], "green": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], "blue": [[0, 0, 0], [1, 1, 1]]}
print(mcolors.LinearSegmentedColormap("t", segmentdata=cdict)(0.5), len(mcolors.CSS4_COLORS), mcolors.to_rgba(("green", 0.3)))
print(mcolors.ListedColormap(["r", "g"], name="rg").reversed().colors)
fig.colorbar(mpl.cm.ScalarMappable(norm=mcolors.LogNorm(1, 100), cmap="magma"), ax=axs, orientation="horizontal", label="Some Units")
fig.canvas.draw()
