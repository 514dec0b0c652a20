import enum
import itertools
import random
from collections.abc import Callable


class State(enum.Enum):
    GREEN = 30
    YELLOW = 5
    RED = 20

    def __new__(cls, seconds):
        obj = object.__new__(cls)
        obj._value_ = seconds
        obj.seconds = seconds
        return obj

    def next(self):
        members = list(type(self))
        return members[(members.index(self) + 1) % len(members)]


class Planet(enum.Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        return 6.67430e-11 * self.mass / self.radius ** 2


class Machine:
    transitions = {
        ("idle", "coin"): "ready",
        ("ready", "push"): "idle",
        ("ready", "coin"): "ready",
        ("idle", "push"): "alarm",
    }

    def __init__(self):
        self.state = "idle"
        self._hooks = {}

    def on(self, state):
        def register(fn: Callable):
            self._hooks.setdefault(state, []).append(fn)
            return fn
        return register

    def fire(self, event):
        key = (self.state, event)
        if key not in self.transitions:
            raise RuntimeError("no transition from %s on %s" % key)
        self.state = self.transitions[key]
        for hook in self._hooks.get(self.state, ()):
            hook(event)
        return self


m = Machine()
seen = []


@m.on("alarm")
def alarm(event):
    seen.append(f"ALARM after {event}")


m.fire("coin").fire("coin").fire("push").fire("push")
print(m.state, seen)
try:
    m.fire("push")
except RuntimeError as exc:
    print(exc)
light = State.GREEN
for _ in range(4):
    print(light.name, light.seconds, end=" -> ")
    light = light.next()
print(State(5), State["RED"], State.__members__.keys(), len(State))
for planet in Planet:
    print(f"{planet.name:6} {planet.gravity:.2f}")
rng = random.Random(42)
chain = {"sun": ["sun", "sun", "rain"], "rain": ["sun", "rain"]}
today = "sun"
print([today := rng.choice(chain[today]) for _ in range(8)])
Animal = enum.Enum("Animal", "CAT DOG")
print(list(Animal), Animal.CAT < Animal.DOG if hasattr(Animal.CAT, "__lt__") and isinstance(Animal.CAT, int) else "unordered")


class Order(enum.IntEnum):
    LOW = 1
    HIGH = 10

    @classmethod
    def _missing_(cls, value):
        return cls.LOW if value < 5 else cls.HIGH


print(Order(7), Order.LOW < Order.HIGH, Order.HIGH + 1, enum.auto)


class Named(enum.Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    A = enum.auto()
    B = enum.auto()


print([n.value for n in Named])
