"""A hierarchy of tanks with abstract classes, properties and class registries."""
import abc
import math
from enum import Enum, IntFlag, StrEnum


class Liquid(StrEnum):
    WATER = "water"
    OIL = "oil"

    @property
    def density(self):
        return {"water": 1000, "oil": 870}[self.value]


class Alarm(IntFlag):
    NONE = 0
    LOW = 1
    HIGH = 2
    LEAK = 4


class Tank(abc.ABC):
    registry: dict[str, type["Tank"]] = {}

    def __init_subclass__(cls, /, kind=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.kind = kind or cls.__name__.lower()
        Tank.registry[cls.kind] = cls

    def __init__(self, *, liquid=Liquid.WATER, fill=0.5):
        self.liquid = Liquid(liquid)
        self.fill = fill

    @property
    def fill(self):
        return self._fill

    @fill.setter
    def fill(self, value):
        if not 0 <= value <= 1:
            raise ValueError(f"fill must be between 0 and 1, got {value}")
        self._fill = value

    @property
    @abc.abstractmethod
    def volume(self):
        """Cubic metres."""

    @property
    def mass(self):
        return self.volume * self.fill * self.liquid.density

    def alarms(self):
        flags = Alarm.NONE
        if self.fill < 0.1:
            flags |= Alarm.LOW
        if self.fill > 0.9:
            flags |= Alarm.HIGH
        return flags

    def __str__(self):
        return f"{type(self).__name__}({self.volume:.1f} m3 of {self.liquid}, {self.fill:.0%})"

    def __format__(self, spec):
        return format(self.mass, spec) if spec else str(self)


class Cylinder(Tank):
    def __init__(self, radius, height, **kwargs):
        super().__init__(**kwargs)
        self.radius, self.height = radius, height

    @property
    def volume(self):
        return math.pi * self.radius ** 2 * self.height


class Box(Tank, kind="cuboid"):
    def __init__(self, *sides, **kwargs):
        super().__init__(**kwargs)
        self.sides = sides

    @property
    def volume(self):
        return math.prod(self.sides)


def make(kind, *args, **kwargs):
    try:
        return Tank.registry[kind](*args, **kwargs)
    except KeyError:
        raise LookupError(f"no tank of kind {kind!r}; known: {sorted(Tank.registry)}") from None


tanks = [make("cylinder", 1, 2, fill=0.95), make("cuboid", 1, 2, 3, liquid="oil", fill=0.05)]
for tank in tanks:
    print(f"{tank} | {tank:.1f} kg | {tank.alarms()!r} | {tank.kind}")
for bad in (lambda: Tank(), lambda: make("sphere"), lambda: setattr(tanks[0], "fill", 2), lambda: Liquid("milk")):
    try:
        bad()
    except Exception as exc:
        print(type(exc).__name__, exc)
print(Alarm.LOW | Alarm.LEAK, Alarm(6), list(Liquid), Tank.__abstractmethods__, Cylinder.__mro__[1].__name__)
print([c.__name__ for c in Tank.__subclasses__()], Box.volume.fget.__name__, isinstance(tanks[0], Tank))
