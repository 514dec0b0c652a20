from enum import Enum, Flag, IntEnum, auto, unique


@unique
class State(Enum):
    IDLE = auto()
    RUNNING = auto()
    PAUSED = auto()
    STOPPED = auto()

    @property
    def is_final(self):
        return self is State.STOPPED


class Priority(IntEnum):
    LOW = 1
    MEDIUM = 5
    HIGH = 10


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    EXECUTE = auto()
    ALL = READ | WRITE | EXECUTE


class Machine:
    TRANSITIONS = {
        (State.IDLE, "start"): State.RUNNING,
        (State.RUNNING, "pause"): State.PAUSED,
        (State.PAUSED, "resume"): State.RUNNING,
        (State.RUNNING, "stop"): State.STOPPED,
    }

    def __init__(self):
        self.state = State.IDLE
        self.history = [self.state]

    def fire(self, event):
        try:
            self.state = self.TRANSITIONS[self.state, event]
        except KeyError:
            raise RuntimeError(f"cannot {event} while {self.state.name}") from None
        self.history.append(self.state)


m = Machine()
for event in ("start", "pause", "resume", "stop"):
    m.fire(event)
print(" -> ".join(s.name for s in m.history), m.state.is_final)
try:
    m.fire("start")
except RuntimeError as e:
    print(e, e.__cause__)
print(State["PAUSED"], State(1), [s.value for s in State], Priority.HIGH > Priority.LOW, max(Priority).name, Priority(5) + 1)
p = Permission.READ | Permission.WRITE
print(p, Permission.READ in p, Permission.EXECUTE in p, Permission.ALL & ~p, len(Permission.ALL))
Color = Enum("Color", "RED GREEN BLUE")
print(list(Color), Color.RED.name, isinstance(Color.RED, Color))
