import numpy as np
import matplotlib.pyplot as plt
import matplotlib as mpl
from matplotlib.artist import Artist, ArtistInspector, setp, getp, kwdoc, allow_rasterization
import matplotlib.text as text

fig, ax = plt.subplots()
l1, l2 = ax.plot([1, 2], [2, 3], [1, 2], [3, 1])
plt.setp((l1, l2), linestyle="--", linewidth=3); plt.setp(l1, "color", "r", "lw", 4)
print(plt.getp(l1, "linewidth"), len(ArtistInspector(l1).get_setters()) > 20, ArtistInspector(l1).get_aliases()["linewidth"], ArtistInspector(l1).get_valid_values("visible"), ArtistInspector(l1).aliased_name("linewidth"))
def myfunc(x): return hasattr(x, "set_color") and not hasattr(x, "set_facecolor")
for o in fig.findobj(myfunc): o.set_color("blue")
for o in fig.findobj(text.Text): o.set_fontstyle("italic")
print(len(fig.findobj()), sorted(l1.properties())[:3], kwdoc(mpl.lines.Line2D).splitlines()[0], len(plt.getp(ax.patch) or "") if False else 0)
class Fancy(Artist):
    def __init__(self, n=3, **kw):
        super().__init__(); self.n = n; self._state = {"drawn": 0}; self.update(kw)
    @allow_rasterization
    def draw(self, renderer):
        if not self.get_visible(): return
        self._state["drawn"] += 1
        gc = renderer.new_gc(); gc.set_linewidth(2)
        for i in range(self.n): renderer.draw_path(gc, mpl.path.Path([[0, 10 * i], [100, 10 * i]]), mpl.transforms.IdentityTransform())
        gc.restore(); self.stale = False
    def set_n(self, n): self.n = n; self.stale = True
    def get_n(self): return self.n
    def contains(self, ev): return False, {}
f = Fancy(5, alpha=0.4, zorder=9); ax.add_artist(f); f.set(n=7, label="fancy", gid="g", snap=True, url="u", sketch_params=(1, 2, 3)); fig.canvas.draw()
print(f.n, f._state, f.axes is ax, f.get_zorder(), f.get_sketch_params(), f in ax.get_children(), f.get_tightbbox() is None or 1, f.have_units(), f.is_transform_set(), f.get_snap(), plt.get(f, "n"))
oid = f.add_callback(lambda a: print("changed", a.get_label())); f.pchanged(); f.remove_callback(oid); f.remove(); print(f.axes, ax.artists if len(ax.artists) else "none", f.format_cursor_data(1.5), f.mouseover, f.sticky_edges.x)
print(ax.lines[0] is l1, ax.lines[-1].get_zorder(), list(ax.texts), len(ax.patches), isinstance(ax.lines, (list, tuple)), len(ax.lines + [1]))
for child in ax.get_children()[:3]: print(type(child).__name__)
