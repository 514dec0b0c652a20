"""An event bus with protocols, generics and ParamSpec decorators."""
from __future__ import annotations

import functools
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import (Any, Callable, ClassVar, Generic, Iterable, Literal, NamedTuple, ParamSpec, Protocol, TypedDict,
                    TypeVar, Union, get_args, get_origin, get_type_hints, overload, runtime_checkable)

P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound="Event")


@dataclass(frozen=True)
class Event:
    topic: ClassVar[str] = "event"


@dataclass(frozen=True)
class Opened(Event):
    topic: ClassVar[str] = "opened"
    door: int = 0


@runtime_checkable
class Handler(Protocol[E]):
    def handle(self, event: E) -> None: ...


class Stats(TypedDict, total=False):
    calls: int
    last: str


class Point(NamedTuple):
    x: float
    y: float = 0.0


def timed(func: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(func)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        start = time.perf_counter()
        try:
            return func(*args, **kwargs)
        finally:
            wrapper.seconds = time.perf_counter() - start
    wrapper.seconds = 0.0
    return wrapper


class Bus:
    def __init__(self) -> None:
        self._handlers: defaultdict[type[Event], list[Handler[Any]]] = defaultdict(list)
        self.stats: Stats = {"calls": 0}

    def on(self, kind: type[E], handler: Handler[E]) -> None:
        self._handlers[kind].append(handler)

    @timed
    def emit(self, event: Event) -> int:
        count = 0
        for kind in type(event).__mro__:
            for handler in self._handlers.get(kind, []):
                handler.handle(event)
                count += 1
        self.stats["calls"] += 1
        self.stats["last"] = event.topic
        return count


class Printer:
    def handle(self, event: Event) -> None:
        print("got", event)


bus = Bus()
bus.on(Event, Printer())
bus.on(Opened, Printer())
print(bus.emit(Opened(3)), bus.stats, isinstance(Printer(), Handler), Bus.emit.__name__, Bus.emit.seconds >= 0)
Mode = Literal["r", "w"]
print(get_args(Mode), get_origin(Union[int, None]), get_type_hints(Bus.emit), Point(1)._asdict(), Stats.__annotations__)
print(Stats.__total__, Point.__annotations__, Opened.__dataclass_fields__.keys())
