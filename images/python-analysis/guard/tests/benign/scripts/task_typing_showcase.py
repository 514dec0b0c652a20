from __future__ import annotations

import sys
from typing import (TYPE_CHECKING, Any, Callable, Dict, Final, Generic, Iterable, List, Literal, Mapping, NamedTuple,
                    NewType, Optional, Protocol, Sequence, Tuple, TypedDict, TypeVar, Union, cast, get_type_hints, overload)

if TYPE_CHECKING:
    import numpy as np

UserId = NewType("UserId", int)
T = TypeVar("T")
K = TypeVar("K", bound=str)
MAX: Final = 3
Mode = Literal["fast", "slow"]


class Movie(TypedDict, total=False):
    title: str
    year: int


class Point(NamedTuple):
    x: float
    y: float = 0.0

    def norm(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5


class SupportsClose(Protocol):
    def close(self) -> None: ...


class Stack(Generic[T]):
    def __init__(self, items: Optional[Iterable[T]] = None) -> None:
        self._items: List[T] = list(items or [])

    def push(self, item: T) -> Stack[T]:
        self._items.append(item)
        return self

    def pop(self) -> T:
        return self._items.pop()


@overload
def double(x: int) -> int: ...
@overload
def double(x: str) -> str: ...
def double(x):
    return x * 2


def apply(f: Callable[[T], T], values: Sequence[T], times: int = 1) -> List[T]:
    for _ in range(times):
        values = [f(v) for v in values]
    return list(values)


def first(items: Mapping[str, T] | Sequence[T], default: T | None = None) -> T | None:
    values = items.values() if isinstance(items, Mapping) else items
    return next(iter(values), default)


movie: Movie = {"title": "Heat", "year": 1995}
print(movie, Point(3, 4).norm(), Point(1)._asdict(), UserId(5) + 1, cast(str, 5))
print(Stack([1, 2]).push(3).pop(), double(4), double("ab"), apply(lambda v: v + 1, [1, 2], times=2))
print(first({"a": 1}), first([]), first((7, 8)))
print(get_type_hints(Point)["x"], sorted(get_type_hints(Movie)), MAX)
x: Union[int, str] = 5
print(isinstance(x, int | str), Dict[str, Tuple[int, ...]])
