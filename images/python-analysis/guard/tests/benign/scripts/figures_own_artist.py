"""Own artists and axes: a wind barb patch, an axes class that is registered, getp and setp."""
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path
from matplotlib.projections import register_projection
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform


class Leaf(Patch):
    """A leaf of a given length and width."""

    def __init__(self, xy, length, width, angle=0.0, **kwargs):
        super().__init__(**kwargs)
        self.xy, self.length, self.width, self.angle = xy, length, width, angle

    def get_path(self):
        verts = [(0, 0), (0.5, 0.5), (1, 0), (0.5, -0.5), (0, 0)]
        codes = [Path.MOVETO, Path.CURVE3, Path.LINETO, Path.CURVE3, Path.LINETO]
        return Path(verts, codes)

    def get_patch_transform(self):
        return Affine2D().scale(self.length, self.width).rotate_deg(self.angle).translate(*self.xy)

    def set_angle(self, angle):
        self.angle = angle
        self.stale = True

    def get_angle(self):
        return self.angle


class Halo(Line2D):
    def draw(self, renderer):
        width, colour = self.get_linewidth(), self.get_color()
        self.set(linewidth=width + 4, color="w")
        super().draw(renderer)
        self.set(linewidth=width, color=colour)
        super().draw(renderer)


class Quadrats(Axes):
    name = "quadrats"

    def plant(self, xy, **kw):
        leaf = Leaf(xy, kw.pop("length", 0.4), kw.pop("width", 0.2), **kw)
        self.add_patch(leaf)
        leaf.set_clip_path(self.patch)
        return leaf

    def halo(self, x, y, **kw):
        line = Halo(x, y, **kw)
        self.add_line(line)
        return line

    def format_coord(self, x, y):
        return f"quadrat {int(x)},{int(y)}"


register_projection(Quadrats)
fig, ax = plt.subplots(subplot_kw={"projection": "quadrats"})
rng = np.random.default_rng(1)
leaves = [ax.plant(rng.uniform(0, 4, 2), angle=rng.uniform(0, 360), fc="olivedrab", ec="k", alpha=0.7) for _ in range(12)]
plt.setp(leaves[:3], facecolor="gold", angle=45)
ax.halo([0, 4], [0, 4], color="sienna", lw=3)
ax.set(xlim=(0, 4), ylim=(0, 4), xticks=range(5), yticks=range(5))
ax.grid(True)
found = ax.findobj(lambda a: isinstance(a, Leaf) and a.get_angle() == 45)
fig.canvas.draw()
box = leaves[0].get_window_extent()
print(len(found), ax.format_coord(1.2, 3.9), mpl.colors.to_hex(leaves[0].get_facecolor(), keep_alpha=True), isinstance(box, Bbox), plt.getp(leaves[0], "alpha"))
print(leaves[0].properties()["angle"], isinstance(ax, Axes), issubclass(Halo, Artist), IdentityTransform().transform((1, 2)))
fig.savefig("leaves.png")
