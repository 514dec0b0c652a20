"""What libraries and the interpreter share: a script has a part of its own, and all else stays as it is."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, Host

REFUSED = r"""
import abc, contextvars, functools, logging, numbers, re, time, typing, urllib.parse
import collections.abc

Logger, kept = type(logging.getLogger()), []

class Hooks(Logger):
    def __init_subclass__(cls):
        kept.append(cls)

def hidden():
    class Mine(Hooks):
        _cache = "mine"

def reordered():
    class Meta(type):
        def mro(cls):
            return [cls, object]

def reordered_by_a_mixin():
    class Mixin:
        def mro(cls):
            return [cls, object]
    class Meta(Mixin, type):
        pass

def by_bases_that_change():
    class Bases(tuple):
        def __iter__(self):
            return iter((Logger,))
    type("Mine", Bases((int,)), {})

def registry_of_its_own():
    class Mine(collections.abc.Sequence):
        pass
    setattr(Mine, "_abc" + "_impl", None)

class Asks:
    def __init__(self, ask):
        self.ask = ask
    def __set_name__(self, owner, name):
        self.ask(owner)

def refused(owner):
    try:
        owner.register(int)
    except TypeError:
        return True

class Late(collections.abc.Sequence):
    __getitem__ = __len__ = None

class Early(collections.abc.Sequence):
    asks = Asks(lambda owner: print("DONE", owner.register(int)) if not refused(owner) else None)

class Other(collections.abc.Sequence):
    asks = Asks(lambda owner: issubclass(Late, owner))

class Past(type(collections.abc.Sequence)):
    def __new__(cls, name, bases, namespace):
        return type.__new__(cls, name, bases, namespace)

class Without(collections.abc.Sequence, metaclass=Past):
    pass

class Apart(abc.ABC):
    pass

class Below(collections.abc.Sequence):
    pass

Apart.register(float)
assert isinstance(5.0, Apart)
assert not isinstance(5, collections.abc.Sequence) and issubclass(Late, collections.abc.Sequence)

context = contextvars.copy_context()
cached = urllib.parse.urlsplit
for call, kind in (
    (lambda: list(context), TypeError),
    (lambda: dict(context), TypeError),
    (lambda: context.items(), AttributeError),
    (lambda: [*contextvars.Context()], TypeError),
    (lambda: numbers.Number.register(str), TypeError),
    (lambda: collections.abc.Sequence.register(type(re.compile(""))), TypeError),
    (lambda: Below.register(int), TypeError),
    (lambda: Without.register(int), TypeError),
    (lambda: collections.abc.Sequence.register(Apart), TypeError),
    (lambda: functools.update_wrapper(cached, hidden), TypeError),
    (lambda: functools.wraps(hidden)(cached), TypeError),
    (lambda: abc.abstractmethod(cached), TypeError),
    (lambda: typing.final(property(cached)), TypeError),
    (lambda: type(time.get_clock_info("time"))(**{"__class__": 1}), TypeError),
    (hidden, TypeError),
    (reordered, TypeError),
    (reordered_by_a_mixin, TypeError),
    (by_bases_that_change, TypeError),
    (registry_of_its_own, AttributeError),
):
    try:
        print("DONE", call())
    except kind:
        pass
assert not kept and not hasattr(cached, "__isabstractmethod__") and cached.__name__ == "urlsplit"
print("refused")
"""

USUAL = r"""
import abc, collections.abc, contextvars, datetime, enum, functools, numbers, types, typing, zoneinfo
import time

number = contextvars.ContextVar("number", default=1)
context = contextvars.copy_context()
context.run(number.set, 2)
assert (context[number], context.get(number), number in context, len(context) > 0, number.get()) == (2, 2, True, True, 1)

class Mine(abc.ABC):
    @property
    @abc.abstractmethod
    def size(self): ...
    @abc.abstractmethod
    @functools.lru_cache
    def twice(self): ...
    @typing.final
    @classmethod
    def made(cls):
        return 5

class Row:
    pass

Mine.register(int)
numbers.Number.register(Row)
collections.abc.Sequence.register(Row)
assert isinstance(3, Mine) and isinstance(Row(), numbers.Number) and isinstance(Row(), collections.abc.Sequence)
assert Mine.made() == 5

def plain():
    "Plain."

@functools.wraps(plain)
@functools.lru_cache
def cached():
    return 3

assert cached() == 3 and cached.__name__ == "plain"
assert type(time.get_clock_info("time")) is types.SimpleNamespace and type(3) is int and type(int) is type

class Colour(enum.Enum):
    _ignore_ = ["each"]
    RED = 1
    each = 2

class Meta(type):
    def __call__(cls, *values):
        return super().__call__(*values)

class Made(metaclass=Meta):
    _own = 1

assert [*Colour] == [Colour.RED] and Made()._own == 1 and type("Named", (Made,), {"_own": 2})()._own == 2

zone = zoneinfo.ZoneInfo("Europe/Paris")
class Zone(zoneinfo.ZoneInfo):
    pass
for each in (zone, Zone("Europe/Paris")):
    assert datetime.datetime(2024, 7, 1, tzinfo=each).utcoffset() == datetime.timedelta(hours=2)
assert zoneinfo.ZoneInfo("Europe/Paris") is zone
print("as usual")
"""

CLASSES = r"""
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D

class Point:
    def draw(self):
        self._mine = 1
        try:
            axes.plot([1], [1], [1])
        except PermissionError as error:
            assert "cannot become" in str(error), error
        return type(self) is Point and self._mine

class Lines(plt.Axes):
    def plot(self, *points, **options):
        return [self.drawn] if self.drawn else super().plot(*points, **options)

class Mine(Axes3D, Lines):
    drawn = None

axes = Mine(plt.figure())
assert type(axes.plot([1], [1], [1])[0]).__name__ == "Line3D"
axes.drawn = Point()
assert axes.drawn.draw() == 1
print("kept")
"""


class Shared(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def check(self, script: str, said: str) -> None:
        imports = [*IMPORTS, *"collections.abc contextvars logging mpl_toolkits.mplot3d numbers types urllib.parse zoneinfo".split()]
        run = self.host.run(script, imports=imports)
        self.assertEqual((run.stdout, run.error), (f"{said}\n", ""), run.stderr)

    def test_what_others_have_stays_as_it_is(self) -> None:
        self.check(REFUSED, "refused")

    def test_what_a_script_has_is_its_own(self) -> None:
        self.check(USUAL, "as usual")

    def test_objects_of_the_scripts_keep_their_class(self) -> None:
        self.check(CLASSES, "kept")
