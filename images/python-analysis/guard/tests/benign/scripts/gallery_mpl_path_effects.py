import matplotlib.pyplot as plt
import matplotlib.patheffects as path_effects
from matplotlib.patheffects import AbstractPathEffect, Normal, Stroke, SimplePatchShadow, SimpleLineShadow, withStroke, withSimplePatchShadow, PathPatchEffect, TickedStroke, withTickedStroke
from matplotlib.transforms import Affine2D
import numpy as np

class Glow(AbstractPathEffect):
    def __init__(self, n=4, color="cyan"):
        super().__init__((0, 0))
        self.n, self.color = n, color

    def draw_path(self, renderer, gc, tpath, affine, rgbFace):
        gc0 = renderer.new_gc()
        gc0.copy_properties(gc)
        for i in range(self.n):
            gc0.set_linewidth(2 + i * 2)
            gc0.set_alpha(0.2)
            gc0.set_foreground(self.color)
            renderer.draw_path(gc0, tpath, affine + self._offset_transform(renderer), rgbFace)
        gc0.restore()

fig, ax = plt.subplots()
txt = ax.text(0.5, 0.5, "Hello", size=40, ha="center", path_effects=[withStroke(linewidth=4, foreground="w"), Normal()])
t2 = fig.text(0.02, 0.5, "Hatch shadow", fontsize=30, path_effects=[PathPatchEffect(offset=(4, -4), hatch="xxxx", facecolor="gray"), PathPatchEffect(edgecolor="white", linewidth=1.1, facecolor="black")])
line, = ax.plot(np.linspace(0, 1), np.sin(np.linspace(0, 6)), path_effects=[Glow(), SimpleLineShadow(shadow_color="b"), Normal(), TickedStroke(spacing=7, angle=135, length=0.8)])
ax.imshow([[1, 2], [2, 3]], extent=(0, 1, 0, 1), aspect="auto")
cs = ax.contour(np.outer(np.arange(5), np.arange(5)), colors="k")
cs.set(path_effects=[withTickedStroke(angle=60)])
clbls = ax.clabel(cs, inline=True, use_clabeltext=True)
plt.setp(clbls, path_effects=[withStroke(linewidth=3, foreground="w")])
fig.canvas.draw()
print(len(line.get_path_effects()), txt.get_path_effects()[0].__class__.__name__, withSimplePatchShadow(rho=.5).__class__.__name__)
with plt.rc_context({"path.effects": [withStroke(linewidth=4, foreground="w")]}):
    print(len(plt.plot([1, 2])[0].get_path_effects()))
