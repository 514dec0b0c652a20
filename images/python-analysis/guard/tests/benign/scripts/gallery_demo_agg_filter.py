"""AGG filter, rasterization, alpha masks."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
import matplotlib.transforms as mtransforms
from matplotlib.colors import LightSource
import matplotlib.cm as cm


def smooth1d(x, window_len):
    s = np.r_[2 * x[0] - x[window_len:1:-1], x, 2 * x[-1] - x[-1:-window_len:-1]]
    w = np.hanning(window_len)
    y = np.convolve(w / w.sum(), s, mode="same")
    return y[window_len - 1:-window_len + 1]


class BaseFilter:
    def get_pad(self, dpi):
        return 0

    def process_image(self, padded_src, dpi):
        raise NotImplementedError("Should be overridden by subclasses")

    def __call__(self, im, dpi):
        pad = self.get_pad(dpi)
        padded_src = np.pad(im, [(pad, pad), (pad, pad), (0, 0)], "constant")
        tgt_image = self.process_image(padded_src, dpi)
        return tgt_image, -pad, -pad


class DropShadow(BaseFilter):
    def __init__(self, sigma, alpha=0.3):
        self.sigma, self.alpha = sigma, alpha

    def get_pad(self, dpi):
        return int(self.sigma / 72 * dpi)

    def process_image(self, padded_src, dpi):
        tgt = np.zeros_like(padded_src)
        tgt[..., 3] = padded_src[..., 3] * self.alpha
        return tgt


class FilteredArtistList(Artist):
    def __init__(self, artist_list, filter):
        super().__init__()
        self._artist_list = artist_list
        self._filter = filter

    def draw(self, renderer):
        renderer.start_rasterizing()
        renderer.start_filter()
        for a in self._artist_list:
            a.draw(renderer)
        renderer.stop_filter(self._filter)
        renderer.stop_rasterizing()


fig, ax = plt.subplots()
line, = ax.plot([0.1, 0.5, 0.9], [0.1, 0.9, 0.5], "bo-")
shadow, = ax.plot(line.get_xdata(), line.get_ydata())
shadow.update_from(line)
shadow.set_transform(mtransforms.offset_copy(line.get_transform(), fig, x=4.0, y=-6.0, units="points"))
shadow.set_zorder(line.get_zorder() - 0.5)
shadow.set_agg_filter(DropShadow(4))
shadow.set_rasterized(True)
ax.add_artist(FilteredArtistList(ax.texts, DropShadow(2)))
ls = LightSource(azdeg=315, altdeg=45)
Z = np.outer(np.hanning(20), np.hanning(20))
ax.imshow(ls.shade(Z, cmap=cm.gist_earth, vert_exag=10, blend_mode="soft"), extent=(0, 1, 0, 1), zorder=-1)
fig.canvas.draw()
print(ls.hillshade(Z, vert_exag=1).shape, shadow.get_rasterized(), smooth1d(np.arange(30.0), 5).shape)
print(sorted(shadow.properties())[:4], plt.getp(line, "linewidth"))
plt.setp([line, shadow], lw=3, color="r")
print([a.get_linewidth() for a in fig.findobj(plt.Line2D)][:2], fig.findobj(match=lambda a: a.get_zorder() > 100))
