"""A vending machine as a state machine with an undo stack."""
import copy
import enum
import sys
from collections import deque


class State(enum.Enum):
    IDLE = "idle"
    PAYING = "paying"
    SERVING = "serving"

    def __str__(self):
        return self.value


class InvalidTransition(Exception):
    def __init__(self, state, event):
        super().__init__(f"cannot {event} while {state}")
        self.state, self.event = state, event


def transition(*sources, to):
    def decorate(func):
        def wrapper(self, *args, **kwargs):
            if self.state not in sources:
                raise InvalidTransition(self.state, func.__name__)
            self.history.append(copy.deepcopy(self.__dict__ | {"history": None}))
            result = func(self, *args, **kwargs)
            self.state = to(self) if callable(to) else to
            return result
        wrapper.__name__ = func.__name__
        wrapper.sources = sources
        return wrapper
    return decorate


class Machine:
    PRICES = {"tea": 120, "cocoa": 180}

    def __init__(self):
        self.state = State.IDLE
        self.credit = 0
        self.sold = []
        self.history = deque(maxlen=10)

    @transition(State.IDLE, State.PAYING, to=State.PAYING)
    def insert(self, cents):
        self.credit += cents

    @transition(State.PAYING, to=lambda self: State.SERVING if self.sold else State.PAYING)
    def choose(self, item):
        price = self.PRICES[item]
        if price > self.credit:
            raise ValueError(f"{item} needs {price - self.credit} more")
        self.credit -= price
        self.sold.append(item)

    @transition(State.SERVING, to=State.IDLE)
    def take(self):
        change, self.credit = self.credit, 0
        return change

    def undo(self):
        previous = self.history.pop()
        for key, value in previous.items():
            if key != "history":
                setattr(self, key, value)


m = Machine()
for step in [("insert", 100), ("choose", "tea"), ("insert", 50), ("choose", "tea"), ("insert", 5), ("take",), ("take",)]:
    name, *args = step
    try:
        out = getattr(m, name)(*args)
        print(f"{name:<7}{args!s:<10} -> {m.state} credit={m.credit} {'' if out is None else out}")
    except (InvalidTransition, ValueError) as exc:
        print(f"{name:<7}{args!s:<10} !! {exc}", file=sys.stdout)
m.undo()
print(m.state, m.credit, m.sold, Machine.choose.sources, len(m.history))
