"""Private names of a library's base, however they would get into a class of the script's, and what it keeps under them."""

from __future__ import annotations

import unittest

from tests.host import Host

REFUSED = """
import dataclasses, enum, textwrap
import pandas as pd

kept = []

class Keeper:
    def __init_subclass__(cls):
        kept.append(cls)

class Mixin:
    __slots__ = ("_split_chunks",)

def pieces(self, text):
    return ["mine"]

def namespace(): dataclasses.make_dataclass("A", [], bases=(Keeper, textwrap.TextWrapper), namespace={"_split_chunks": pieces})
def field(): dataclasses.make_dataclass("A", [("_split_chunks", object, pieces)], bases=(Keeper, textwrap.TextWrapper))
def read_once(): dataclasses.make_dataclass("A", iter(["_split_chunks"]), bases=iter([Keeper, textwrap.TextWrapper]))
def members(): enum.Enum("A", {"_split_chunks": 1}, type=textwrap.TextWrapper)
def text(): enum.Enum("A", "B _split_chunks", type=textwrap.TextWrapper)
def slots():
    class A(Keeper, textwrap.TextWrapper): __slots__ = ["_split_chunks"]
def slot():
    class A(Keeper, textwrap.TextWrapper): __slots__ = "_split_chunks"
def described():
    class A(Keeper, textwrap.TextWrapper): __slots__ = {"_split_chunks": "text"}
def of_a_mixin():
    class A(Keeper, Mixin, textwrap.TextWrapper): pass
def by_call(): type("A", (Keeper, textwrap.TextWrapper), {"__slots__": iter(["_split_chunks"])})

for make in (namespace, field, read_once, members, text, slots, slot, described, of_a_mixin, by_call):
    try:
        make()
    except TypeError as error:
        assert "private to a base class" in str(error), (make.__name__, error)
    else:
        raise AssertionError(make.__name__)
assert not kept, kept
print("refused")
"""

UNTOLD = """
import enum
import numpy as np
from scipy import stats

told = []

class Listening:
    def __setattr__(self, name, value):
        told.append(name)
        super().__setattr__(name, value)

class Result(Listening, type(stats.ttest_ind([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]))):
    pass

result = Result(np.array(0.5), np.array(0.5), df=3, alternative=1, standard_error=1, estimate=1)
assert result.confidence_interval().low.shape == ()
result.mine = 1
assert told == ["mine"], told

class Meta(type(enum.Enum)):
    def __setattr__(cls, name, value):
        told.append(name)
        super().__setattr__(name, value)

class Colour(enum.Enum, metaclass=Meta):
    RED = 1

Colour.mine = 2
assert Colour.mine == 2 and "_member_type_" not in told and told[-1] == "mine", told
print("untold")
"""

OWN = """
import dataclasses, enum
import pandas as pd

class Point:
    __slots__ = ["x", "_y", "__z"]
    def __init__(self): self.x, self._y, self.__z = 1, 2, 3
    def __setattr__(self, name, value):
        told.append(name)
        object.__setattr__(self, name, value)
    def total(self): return self.x + self._y + self.__z

told = []
assert Point().total() == 6 and told == ["x", "_y", "_Point__z"] and Point.__slots__ == ["x", "_y", "__z"]

class Fixed(type):
    def __setattr__(cls, name, value): raise AttributeError(name)

class A(metaclass=Fixed):
    x = 1

try:
    A.x = 2
except AttributeError:
    assert A.x == 1

Made = dataclasses.make_dataclass("Made", ["a", ("b", int), ("c", int, 3)], bases=(Point,), namespace={"_d": 4}, init=False)
assert Made.c == 3 and [each.name for each in dataclasses.fields(Made)] == ["a", "b", "c"]
Colour = enum.Enum("Colour", "RED GREEN", type=str)
assert Colour.RED == "1" and enum.IntEnum("N", ["A", "B"]).B == 2

kept = []

class GeoDataFrame(pd.DataFrame):
    @property
    def _constructor(self):
        return lambda made, **more: kept.append(type(made)) or GeoDataFrame(made, **more)

assert type(GeoDataFrame({"a": [1, 2]}).head(1)) is GeoDataFrame and kept == [pd.DataFrame], kept
print("own")
"""


DOCUMENTED = """
from matplotlib.ticker import ScalarFormatter
from statsmodels.base.model import Model
import numpy as np

class Fixed(ScalarFormatter):
    def _set_format(self):
        self.before = super()._set_format
        self.format = "%1.1f"

class Own(Model):
    _start_params = [1.0]
    def _get_init_kwds(self):
        return {**super()._get_init_kwds(), "own": self._start_params}

made = Own(np.ones(2), np.ones((2, 1)))
assert made._get_init_kwds()["own"] == [1.0]
Fixed()._set_format()

plain = Model(np.ones(2), np.ones((2, 1)))
for attempt in (
    lambda: plain._get_init_kwds, lambda: getattr(Model, "_get_init_kwds"), lambda: super(Model, plain)._get_init_kwds,
    lambda: ScalarFormatter()._set_format, lambda: super(Own, made)._get_method, lambda: made._data_attr,
    lambda: super(Own, made)._init_keys, lambda: made._init_keys,
):
    try:
        print("given", attempt())
    except AttributeError:
        pass
for name in ("_data_attr", "_init_keys"):
    try:
        print("made", type("Hidden", (Model,), {name: 1}))
    except TypeError:
        pass
print("documented")
"""


DRAWN = """
import threading
from matplotlib import patheffects, spines, ticker
from matplotlib.animation import TimedAnimation
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path

class Skewed(spines.Spine):
    def _adjust_location(self):
        super()._adjust_location()
        self._path.vertices[:, 0] = 0.5

class Frames(TimedAnimation):
    def _draw_frame(self, framedata):
        self._drawn_artists = [Line2D([0], [framedata])]
    def _init_draw(self):
        self._drawn_artists = []
    def new_frame_seq(self):
        return iter(range(2))

class Shadow(patheffects.AbstractPathEffect):
    def draw_path(self, renderer, gc, tpath, affine, rgbFace):
        made = renderer.new_gc()
        made.copy_properties(gc)
        self._update_gc(made, {"linewidth": 4})
        renderer.draw_path(made, tpath, affine + self._offset_transform(renderer), rgbFace)

figure = Figure()
axes = figure.subplots()
axes.spines["left"] = Skewed.linear_spine(axes, "left")
axes.plot([1, 2], path_effects=[Shadow()])
figure.savefig(OUTPUT / "drawn.png")
assert axes.spines["left"].get_path().vertices[0, 0] == 0.5
frames = Frames(figure)
frames._draw_frame(1)
assert [*frames._drawn_artists[0].get_ydata()] == [1]

class Threaded(spines.Spine, threading.Thread):
    pass

class Mixed(spines.Spine):
    pass

mixed = Mixed(axes, "left", Path([[0, 0], [0, 1]]))
for attempt in (
    lambda: figure._axstack, lambda: Threaded._path, lambda: axes.spines["right"]._adjust_location,
    lambda: Frames._drawn_artists, lambda: figure._drawn_artists, lambda: mixed._axis, lambda: super(Mixed, mixed)._set_artist_props,
    lambda: setattr(axes.spines["right"], "_path", None), lambda: setattr(mixed, "_remove_method", print), lambda: mixed._callbacks,
):
    try:
        print("given", attempt())
    except AttributeError:
        pass
for base, name in ((threading.Thread, "_target"), (spines.Spine, "_remove_method"), (spines.Spine, "_draw_paths_with_artist_properties")):
    try:
        print("made", type("Hidden", (base,), {name: 1}))
    except TypeError:
        pass
print("drawn")
"""


CHANGED_MEANWHILE = """
import enum, textwrap

def change(space):
    for name in ("__del__", "_split_chunks", "late"):  # who has the last has the others
        dict.__setitem__(space, name, lambda *given: None)

class Name(str):
    __eq__ = lambda self, other: str.__str__(self) == other
    def __hash__(self):
        left[0] -= 1
        if left[0] == 0:
            change(space)
        return str.__hash__(self)

class Own(type(enum.Enum)):
    def __new__(kind, *given): return super().__new__(kind, *given, _simple=True)

for kind in (type(enum.Enum), Own):
    for options in ({}, {"_simple": True}):
        for moment in range(1, 30):
            space, left = enum.EnumDict("A"), [-1]
            dict.__setitem__(space, Name("helper"), 1)
            left[0] = moment
            try:
                made = kind("A", (textwrap.TextWrapper,), space, **options)
            except (TypeError, RuntimeError):
                continue
            if hasattr(made, "late"):
                print("hidden:", kind, options, moment)
print("looked")
"""


class HiddenNamesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def check(self, program: str, said: str, *imports: str) -> None:
        run = self.host.run(program, imports=[*imports])
        self.assertEqual((run.outcome, run.stdout), ("completed", f"{said}\n"), run.stderr or run.report)

    def test_no_class_is_made_with_a_private_name_of_a_base(self) -> None:
        self.check(REFUSED, "refused", "dataclasses", "enum", "textwrap", "pandas")

    def test_a_namespace_that_changes_while_it_is_looked_at_changes_nothing(self) -> None:
        self.check(CHANGED_MEANWHILE, "looked", "enum", "textwrap")

    def test_a_setter_is_not_told_what_a_library_keeps(self) -> None:
        self.check(UNTOLD, "untold", "enum", "numpy", "scipy", "scipy.stats")

    def test_what_a_library_documents_for_heirs_is_theirs_and_nobody_elses(self) -> None:
        self.check(DOCUMENTED, "documented", "numpy", "matplotlib.ticker", "statsmodels.base.model")

    def test_what_matplotlib_shows_for_heirs_is_theirs_and_nobody_elses(self) -> None:
        modules = "patheffects spines ticker animation figure lines path".split()
        self.check(DRAWN, "drawn", "threading", "matplotlib", *(f"matplotlib.{each}" for each in modules))

    def test_names_of_the_scripts_own_are_free(self) -> None:
        self.check(OWN, "own", "dataclasses", "enum", "pandas")


if __name__ == "__main__":
    unittest.main()
