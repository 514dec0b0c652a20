import enum
import logging
import sys

logger = logging.getLogger("elevator")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(name)s %(levelname)-7s %(message)s"))
logger.addHandler(handler)
logger.setLevel(logging.DEBUG)
logger.propagate = False


class State(enum.Enum):
    IDLE = "idle"
    UP = "going up"
    DOWN = "going down"
    OPEN = "doors open"

    def __str__(self):
        return self.value


class InvalidTransition(Exception):
    """Raised when a transition is not allowed."""


class Elevator:
    TRANSITIONS = {
        State.IDLE: {State.UP, State.DOWN, State.OPEN},
        State.UP: {State.OPEN, State.UP},
        State.DOWN: {State.OPEN, State.DOWN},
        State.OPEN: {State.IDLE, State.UP, State.DOWN},
    }

    def __init__(self, floors=8):
        self.floor = 0
        self.floors = floors
        self.state = State.IDLE
        self.calls = []
        self.observers = []

    def on_change(self, callback):
        self.observers.append(callback)
        return callback

    def transition(self, new):
        if new not in self.TRANSITIONS[self.state]:
            raise InvalidTransition(f"{self.state.name} -> {new.name}")
        old, self.state = self.state, new
        for callback in self.observers:
            callback(self, old, new)

    def call(self, floor):
        if not 0 <= floor < self.floors:
            raise ValueError(f"no floor {floor}")
        self.calls.append(floor)

    def run(self):
        while self.calls:
            target = min(self.calls, key=lambda f: abs(f - self.floor))
            self.calls.remove(target)
            while self.floor != target:
                self.transition(State.UP if target > self.floor else State.DOWN)
                self.floor += 1 if target > self.floor else -1
            self.transition(State.OPEN)
            self.transition(State.IDLE)


lift = Elevator()


@lift.on_change
def log_change(elevator, old, new):
    if old is not new:
        logger.info("floor %d: %s -> %s", elevator.floor, old, new)


for f in (5, 1, 6):
    lift.call(f)
try:
    lift.call(99)
except ValueError:
    logger.exception("bad call") if False else logger.error("bad call")
lift.run()
try:
    lift.transition(State.IDLE)
except InvalidTransition as e:
    logger.warning("%s: %s (%s)", type(e).__name__, e, e.__doc__)
print(State("idle"), list(State), State.UP.name, len(State), log_change.__name__)
