import numpy as np
import matplotlib.pyplot as plt
from matplotlib.backend_bases import RendererBase, GraphicsContextBase, FigureCanvasBase, FigureManagerBase, TimerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
class Recording(RendererBase):
    def __init__(self, dpi): super().__init__(); self.dpi = dpi; self.log = {}
    def note(self, k): self.log[k] = self.log.get(k, 0) + 1
    def draw_path(self, gc, path, transform, rgbFace=None): self.note("path")
    def draw_markers(self, gc, mp, mt, path, trans, rgbFace=None): self.note("markers")
    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None): self.note("text")
    def draw_image(self, gc, x, y, im, transform=None): self.note("image")
    def flipy(self): return True
    def get_canvas_width_height(self): return 100, 100
    def get_text_width_height_descent(self, s, prop, ismath): return 10, 10, 2
    def new_gc(self): return GraphicsContextBase()
    def points_to_pixels(self, points): return points
class Canvas(FigureCanvasBase):
    manager_class = FigureManagerBase
    filetypes = {**FigureCanvasBase.filetypes, "foo": "My format"}
    def draw(self): r = Recording(self.figure.dpi); self.figure.draw(r); self.last = r; super().draw()
    def print_foo(self, filename, **kw): self.draw(); open(filename, "w").write("foo"); print("print_foo")
    def get_default_filetype(self): return "foo"
fig = Figure(); c = Canvas(fig); ax = fig.add_subplot(); ax.plot([1, 2], "o-"); ax.imshow(np.eye(2)); c.draw(); print(sorted(c.last.log), c.last.log["text"] > 3); fig.savefig("x.foo", format="foo"); print(c.get_supported_filetypes()["foo"], c.get_default_filename())
class Timer(TimerBase):
    def _timer_start(self): print("started", self.interval)
t = Timer(interval=50, callbacks=[(print, ("cb",), {})]); t.start(); t.add_callback(print); t.remove_callback(print); t.interval = 30; t.single_shot = True; t.stop(); print(t.interval)
gc = GraphicsContextBase(); gc.set_alpha(.3); gc.set_joinstyle("miter"); gc.set_hatch("/"); gc.set_sketch_params(1, 2, 3); gc2 = GraphicsContextBase(); gc2.copy_properties(gc); print(gc2.get_alpha(), gc2.get_joinstyle(), gc2.get_hatch_path().codes is not None, gc2.get_sketch_params(), gc2.get_dashes(), gc2.get_rgb())
