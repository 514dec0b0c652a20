"""The same through pyplot, and the text is of a class that inherits from str."""
import matplotlib.pyplot as plt

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

class Text(str):
    pass

V.f = plt.figure
[label] = plt.bar_label(Bars(), fmt=Text("{0.f.__glo" + "bals__[sys].version}"), label_type="center")
print("ESCAPED:bar_label_of_a_class", label.get_text()[:20])
