"""Path effects and a custom one."""
import matplotlib.pyplot as plt
import matplotlib.patheffects as path_effects
from matplotlib import patheffects
import numpy as np


class Wobble(patheffects.AbstractPathEffect):
    def __init__(self, offset=(0, 0), amount=3, **gc_update):
        super().__init__(offset)
        self._amount = amount
        self._gc_update = gc_update

    def draw_path(self, renderer, gc, tpath, affine, rgbFace):
        gc0 = renderer.new_gc()
        gc0.copy_properties(gc)
        gc0 = self._update_gc(gc0, self._gc_update)
        renderer.draw_path(gc0, tpath, affine + self._offset_transform(renderer), rgbFace)
        gc0.restore()


fig, ax = plt.subplots(figsize=(8, 3))
text = ax.text(0.5, 0.5, "Hello path effects world!", ha="center", va="center", size=20, color="white")
text.set_path_effects([path_effects.Stroke(linewidth=3, foreground="black"), path_effects.Normal()])
ax.plot([0, 3, 2, 5], lw=5, color="blue", path_effects=[path_effects.SimpleLineShadow(), path_effects.Normal()])
ax.text(0.1, 0.8, "Hatch shadow", fontsize=40, weight=1000,
        path_effects=[path_effects.PathPatchEffect(offset=(4, -4), hatch="xxxx", facecolor="gray"),
                      path_effects.PathPatchEffect(edgecolor="white", linewidth=1.1, facecolor="black")])
ax.plot(np.linspace(0, 3), np.sin(np.linspace(0, 9)), path_effects=[patheffects.withTickedStroke(spacing=7, angle=135), Wobble((2, 2), linewidth=4)])
plt.rcParams["path.effects"] = []
fig.canvas.draw()
print(text.get_path_effects()[0].__class__.__name__, len(ax.lines))
