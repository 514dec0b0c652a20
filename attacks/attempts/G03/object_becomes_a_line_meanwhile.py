"""The same while a generator waits, which has checked what it was given."""
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D


class Own:
    pass


class Lines(plt.Axes):
    def plot(self, *points, **options):
        return [self.mine]


class Mine(Axes3D, Lines):
    pass


axes = Mine(plt.figure())
axes.mine = Own()
axes.mine._x = 1


def wait(thing):
    yield thing._x
    yield thing._get_markerfacecolor


waiting = wait(axes.mine)
next(waiting)
try:
    axes.plot([1], [1], [1])
except AttributeError:
    pass
print("ESCAPED:object_becomes_a_line_meanwhile", next(waiting))
