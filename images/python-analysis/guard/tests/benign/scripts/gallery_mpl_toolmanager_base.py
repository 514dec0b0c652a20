import matplotlib.pyplot as plt
from matplotlib.backend_tools import ToolBase, ToolToggleBase, Cursors, cursors
class Lister(ToolBase):
    default_keymap = "m"; description = "List"
    def trigger(self, *args, **kw): print("triggered")
class Hide(ToolToggleBase):
    default_keymap = "S"; default_toggled = True; radio_group = None
    def __init__(self, *a, gid, **k): self.gid = gid; super().__init__(*a, **k)
    def enable(self, *a): print("on", self.gid)
    def disable(self, *a): print("off", self.gid)
print(Lister.description, Cursors.HAND.name, cursors.MOVE.name, Hide.default_toggled)
fig = plt.figure(); m = fig.canvas.manager; print(getattr(m, "toolmanager", None), getattr(m, "toolbar", None), m.num, type(m).__name__, m.get_window_title()); m.set_window_title("w"); fig.canvas.set_cursor(cursors.WAIT); fig.canvas.set_window_title("x") if hasattr(fig.canvas, "set_window_title") else 0
h = Hide.__new__(Hide) if False else None
