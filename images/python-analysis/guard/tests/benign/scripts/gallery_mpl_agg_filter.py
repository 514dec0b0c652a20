import numpy as np
import matplotlib.pyplot as plt
import matplotlib.cm as cm
from matplotlib.artist import Artist
import matplotlib.transforms as mtransforms

def smooth1d(x, window_len):
    s = np.r_[2 * x[0] - x[window_len:1:-1], x, 2 * x[-1] - x[-1:-window_len:-1]]
    w = np.hanning(window_len)
    return np.convolve(w / w.sum(), s, mode="same")[window_len - 1:-window_len + 1]

class BaseFilter:
    def get_pad(self, dpi):
        return 0
    def process_image(self, padded_src, dpi):
        raise NotImplementedError
    def __call__(self, im, dpi):
        pad = self.get_pad(dpi)
        padded = np.pad(im, [(pad, pad), (pad, pad), (0, 0)], "constant")
        return self.process_image(padded, dpi), -pad, -pad

class OffsetFilter(BaseFilter):
    def __init__(self, offsets=(0, 0)):
        self.offsets = offsets
    def get_pad(self, dpi):
        return int(max(self.offsets) / 72 * dpi)
    def process_image(self, src, dpi):
        ox, oy = self.offsets
        a = np.roll(src, int(ox / 72 * dpi), axis=1)
        return np.roll(a, -int(oy / 72 * dpi), axis=0)

class Gray(BaseFilter):
    def process_image(self, src, dpi):
        src = src.copy(); src[..., :3] = src[..., :3].mean(axis=-1, keepdims=True); return src

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
line, = ax.plot([0.1, 0.5, 0.9], [0.1, 0.9, 0.5], "ro-", lw=5)
shadow, = ax.plot([0.1, 0.5, 0.9], [0.1, 0.9, 0.5])
shadow.update_from(line); shadow.set_color("0.2"); shadow.set_zorder(line.get_zorder() - 0.5)
shadow.set_transform(mtransforms.offset_copy(line.get_transform(), fig, x=4, y=-6, units="points"))
shadow.set_agg_filter(OffsetFilter((3, 3))); shadow.set_rasterized(True)
im = ax.imshow(np.eye(4), extent=(0, 1, 0, 1)); im.set_agg_filter(Gray())
ax.add_artist(FilteredArtistList([ax.text(0.5, 0.5, "x")], OffsetFilter((2, 2))))
fig.canvas.draw()
fig.savefig("filter.svg"); print(line.get_agg_filter(), type(shadow.get_agg_filter()).__name__, smooth1d(np.arange(10.), 3).shape)
