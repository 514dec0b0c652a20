"""Timing curves on log axes with slope triangles, Perf of two algorithms, results cached in a class attribute."""
import time
from functools import lru_cache, partial
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Polygon
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullLocator


class Meta(type):
    registry = {}

    def __new__(mcs, name, bases, namespace, **kw):
        cls = super().__new__(mcs, name, bases, namespace)
        if bases:
            cls.colour = kw.get("colour", "k")
            mcs.registry[name] = cls
        return cls

    def __init__(cls, name, bases, namespace, **kw):
        super().__init__(name, bases, namespace)
        cls.__doc__ = cls.__doc__ or f"{name} without a text"

    def __iter__(cls):
        return iter(cls.registry.values())


class Algorithm(metaclass=Meta):
    cost = staticmethod(lambda n: n)

    @classmethod
    def curve(cls, ns):
        return np.array([cls.cost(n) for n in ns], float)


class Sort(Algorithm, colour="tab:blue"):
    cost = staticmethod(lambda n: n * np.log2(n))


class Pairs(Algorithm, colour="tab:red"):
    """All pairs."""
    cost = staticmethod(lambda n: 0.5 * n ** 2)


@lru_cache(maxsize=None)
def sizes(lo, hi, k):
    return tuple(int(v) for v in np.geomspace(lo, hi, k))


def triangle(ax, x, y, slope, size=0.4, **kw):
    x1 = x * 10 ** size
    y1 = y * 10 ** (slope * size)
    ax.add_patch(Polygon([(x, y), (x1, y), (x1, y1)], closed=True, fill=False, **kw))
    ax.text(x1 * 1.05, np.sqrt(y * y1), f"{slope:g}", va="center")


began = time.perf_counter()
fig, ax = plt.subplots()
for kind in Algorithm:
    ns = sizes(10, 10 ** 5, 9)
    ax.loglog(ns, kind.curve(ns), "o-", color=kind.colour, label=kind.__name__, base=10)
    slope = np.polyfit(np.log(ns), np.log(kind.curve(ns)), 1)[0]
    print(kind.__name__, kind.__doc__, round(slope, 3))
mark = partial(triangle, ax, color="0.4")
mark(1e3, 1e2, 1)
mark(1e3, 1e7, 2)
ax.yaxis.set_major_locator(LogLocator(numticks=6))
ax.yaxis.set_minor_locator(NullLocator())
ax.yaxis.set_major_formatter(LogFormatterSciNotation())
ax.legend(title="method", title_fontsize="small", labelcolor="linecolor", handlelength=1)
ax.grid(which="both", axis="x", alpha=0.3)
fig.savefig(OUTPUT / "scaling.png")
print(sizes.cache_info().hits, time.perf_counter() - began < 60, list(Meta.registry), type(Sort).__name__)
