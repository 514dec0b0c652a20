"""Effects along outlines: railway ticks, a soft edge of one's own, shadows, and text cut out of a picture."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import patheffects
from matplotlib.patheffects import AbstractPathEffect, Normal, PathPatchEffect, SimpleLineShadow, SimplePatchShadow, Stroke, TickedStroke, withStroke, withTickedStroke


class SoftEdge(AbstractPathEffect):
    """The same outline several times, wider and fainter each time."""

    drawn = 0

    def __init__(self, layers=5, spread=3.0, offset=(0.0, 0.0), **style):
        super().__init__(offset)
        self.layers, self.spread, self.style = layers, spread, style

    def draw_path(self, renderer, gc, tpath, affine, rgbFace=None):
        for layer in range(self.layers, 0, -1):
            own = renderer.new_gc()
            own.copy_properties(gc)
            self._update_gc(own, {"linewidth": self.spread * layer, "alpha": 0.5 / layer, **self.style})
            renderer.draw_path(own, tpath, affine + self._offset_transform(renderer), None)
            own.restore()
            type(self).drawn += 1


track = np.linspace(0, 4 * np.pi, 80)
fig, (top, low) = plt.subplots(2, 1, figsize=(6, 5))
rail = top.plot(track, np.sin(track / 2), color="k", path_effects=[withTickedStroke(angle=90, spacing=9, length=0.6)])[0]
river = top.plot(track, np.cos(track / 3), color="royalblue", lw=2, path_effects=[SoftEdge(foreground="skyblue"), Normal()])[0]
station = top.scatter([3, 9], [1, -1], s=80, path_effects=[SimplePatchShadow(offset=(2, -2), alpha=0.4), Normal()])
name = top.text(6, 0, "junction", size=18, color="w", path_effects=[withStroke(linewidth=3, foreground="maroon")])
hatched = low.text(0.1, 0.3, "1847", size=60, weight="black", transform=low.transAxes)
hatched.set_path_effects([PathPatchEffect(offset=(3, -3), hatch="----", facecolor="wheat"), PathPatchEffect(edgecolor="k", linewidth=0.8, facecolor="sienna")])
bars = low.bar([1, 2, 3], [2, 5, 3])
for bar in bars:
    bar.set_path_effects([SimpleLineShadow(offset=(1, -1), shadow_color="0.3", rho=0.5), Stroke(linewidth=2, foreground="k"), Normal()])
height = np.outer(np.hanning(10), np.hanning(12))
lines = low.contour(np.linspace(0.5, 3.5, 12), np.linspace(0, 5, 10), height, levels=3)
lines.set(path_effects=[TickedStroke(spacing=8, angle=-60, length=0.5)])
low.clabel(lines, fontsize=6)
fig.canvas.draw()
print(SoftEdge.drawn >= 5, len(rail.get_path_effects()), type(name.get_path_effects()[0]).__name__, [type(each).__name__ for each in bars[0].get_path_effects()])
print(hatched.get_path_effects()[0].patch.get_hatch(), isinstance(river.get_path_effects()[0], patheffects.AbstractPathEffect), station.get_path_effects()[1] is not None)
before = SoftEdge.drawn
river.set_path_effects([])
with plt.rc_context({"path.effects": [withStroke(linewidth=4, foreground="w")]}):
    extra = top.plot([0, 1], [0, 1])[0]
fig.canvas.draw()
print(SoftEdge.drawn == before, len(extra.get_path_effects()), extra.get_window_extent().height > 0)
fig.savefig("railway.svg")
