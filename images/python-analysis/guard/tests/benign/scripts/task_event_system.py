from collections import defaultdict
from typing import Any, Callable
import weakref


class EventBus:
    def __init__(self) -> None:
        self._handlers: dict[str, list[tuple[int, Callable[..., Any]]]] = defaultdict(list)

    def on(self, event: str, priority: int = 0):
        def decorator(func):
            self._handlers[event].append((priority, func))
            self._handlers[event].sort(key=lambda p: -p[0])
            return func
        return decorator

    def emit(self, event: str, **payload):
        return [func(**payload) for _, func in self._handlers[event]]


bus = EventBus()


@bus.on("order", priority=1)
def charge(amount, **_):
    return f"charged {amount}"


@bus.on("order")
def ship(item, **_):
    return f"shipped {item}"


@bus.on("order", priority=5)
def audit(**payload):
    return f"audit {sorted(payload)}"


print(bus.emit("order", item="book", amount=12.5))
print(bus.emit("nothing"))


class Observable:
    def __init__(self, value):
        self._value, self._observers = value, []

    def subscribe(self, f):
        self._observers.append(f)
        return lambda: self._observers.remove(f)

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        old, self._value = self._value, new
        for f in list(self._observers):
            f(old, new)


t = Observable(20)
stop = t.subscribe(lambda old, new: print(f"{old} -> {new}"))
t.value = 25
stop()
t.value = 30
print(t.value)
