"""The same with a private attribute of a library's object, which leads to its internals."""
import matplotlib.pyplot as plt
import pandas as pd

class V:
    def __add__(self, other): return self
    def __sub__(self, other): return self
    def __truediv__(self, other): return self
    def __rmul__(self, other): return self
    def __abs__(self): return self
    def __lt__(self, other): return False
    def __gt__(self, other): return False
    def __ge__(self, other): return True

class Box:
    def get_points(self): return (0, V()), (1, V())

class Bar:
    def get_bbox(self): return Box()

class Bars:
    patches, errorbar, datavalues, orientation = [Bar()], None, [1], "vertical"

V.s = pd.Series([1])
[label] = plt.gca().bar_label(Bars(), fmt="{0.s._mgr}", label_type="center")
print("ESCAPED:bar_label_private" if "Manager" in label.get_text() else "held", label.get_text()[:40])
