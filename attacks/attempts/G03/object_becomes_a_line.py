"""An object of a class that is all the script's becomes a library's in the middle of a method, by the library's own hand."""
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D


class Own:
    def draw(self):
        first = self._x
        try:
            axes.plot([1], [1], [1])
        except AttributeError:
            pass
        return self._set_markercolor, first


class Lines(plt.Axes):
    def plot(self, *points, **options):
        return [self.mine]


class Mine(Axes3D, Lines):
    pass


axes = Mine(plt.figure())
axes.mine = Own()
axes.mine._x = 1
print("ESCAPED:object_becomes_a_line", axes.mine.draw())
