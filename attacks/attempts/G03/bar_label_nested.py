"""The same, with the attribute inside the specification of another field."""
import matplotlib.pyplot as plt

class V:
    def __format__(self, spec): return spec
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



V.f = plt.figure
[label] = plt.bar_label(Bars(), fmt="{0:{0.f.__glo" + "bals__[sys].version}}", label_type="center")
print("ESCAPED:bar_label_nested", label.get_text()[:20])
