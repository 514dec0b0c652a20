"""Pixels of single artists treated before they are drawn: halos for outliers, posterised maps, ink counts."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.transforms import ScaledTranslation


class PixelFilter:
    """A chain of functions over an RGBA array; grows the canvas by margin points."""

    def __init__(self, *steps, margin=0.0):
        self.steps, self.margin, self.calls = steps, margin, 0

    def __call__(self, pixels, dpi):
        self.calls += 1
        grown = int(round(self.margin * dpi / 72))
        result = np.pad(pixels, ((grown, grown), (grown, grown), (0, 0)))
        for step in self.steps:
            result = step(result)
        return np.clip(result, 0, 1), -grown, -grown

    def __or__(self, other):
        return PixelFilter(*self.steps, *other.steps, margin=max(self.margin, other.margin))

    def __repr__(self):
        return f"PixelFilter({', '.join(step.__name__ for step in self.steps)}; {self.margin:g}pt)"


def posterise(pixels):
    result = pixels.copy()
    result[..., :3] = np.floor(result[..., :3] * 4) / 4
    return result


def halo(pixels):
    """A box blur of the opacity in both directions, in orange, beneath what was there."""
    alpha = pixels[..., 3]
    kernel = np.full(7, 1 / 7)
    for axis in (0, 1):
        alpha = np.apply_along_axis(np.convolve, axis, alpha, kernel, "same")
    below = np.concatenate([np.broadcast_to([1.0, 0.6, 0.0], (*alpha.shape, 3)), alpha[..., None] * 0.8], axis=2)
    cover = pixels[..., 3:]
    return np.where(cover > 0.5, pixels, below)


class InkMeter(Artist):
    """Draws others, and counts the opaque pixels that they need."""

    def __init__(self, members):
        super().__init__()
        self.members, self.ink = list(members), 0
        self.set_zorder(5)

    def measure(self, pixels, dpi):
        self.ink += int((pixels[..., 3] > 0).sum())
        return pixels, 0, 0

    @allow_rasterization
    def draw(self, renderer):
        if not self.get_visible():
            return
        renderer.start_filter()
        for member in self.members:
            member.draw(renderer)
        renderer.stop_filter(self.measure)
        self.stale = False


rng = np.random.default_rng(41)
depth = rng.gamma(2.0, 1.5, size=60)
width = depth * 0.7 + rng.normal(0, 0.4, 60)
odd = depth > np.quantile(depth, 0.93)
fig, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
left.scatter(depth[~odd], width[~odd], s=8)
marked = left.scatter(depth[odd], width[odd], s=30, color="black")
glow = PixelFilter(halo, margin=6)
marked.set_agg_filter(glow)
(copy,) = left.plot(np.sort(depth), np.sort(width), lw=1)
copy.set_transform(left.transData + ScaledTranslation(3 / 72, -3 / 72, fig.dpi_scale_trans))
copy.set_agg_filter(PixelFilter(posterise) | glow)
copy.set_rasterized(True)
image = right.imshow(np.add.outer(np.hanning(30), np.hanning(30)), cmap="magma")
image.set_agg_filter(PixelFilter(posterise))
meter = InkMeter([right.text(15, 15, "summit", color="white", ha="center")])
right.add_artist(meter)
fig.canvas.draw()
print(glow, glow.calls > 0, repr(copy.get_agg_filter()), copy.get_rasterized())
print(meter.ink > 20, meter.stale, marked.get_agg_filter() is glow, image.get_agg_filter().calls > 0)
fig.savefig("filtered.pdf", dpi=50)
fig.savefig("filtered.svg", dpi=50)
print(posterise(np.full((1, 1, 4), 0.66)).tolist())
