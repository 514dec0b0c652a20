from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Optional, Protocol, TypeVar, overload, runtime_checkable, Callable, TypedDict, Literal, Annotated, NotRequired, TypeAlias, ParamSpec, Concatenate, assert_never, cast, TYPE_CHECKING, NewType, Unpack, TypeGuard

if TYPE_CHECKING:
    from decimal import Decimal

T = TypeVar("T")
K = TypeVar("K", bound="Comparable")
P = ParamSpec("P")
UserId = NewType("UserId", int)
Json: TypeAlias = "dict[str, Any] | list[Any] | str | int | None"


@runtime_checkable
class Comparable(Protocol):
    def __lt__(self, other: Any) -> bool: ...


@runtime_checkable
class Drawable(Protocol):
    name: str

    def draw(self) -> str: ...


class Stack(Generic[T]):
    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items: list[T] = list(items)

    def push(self, item: T) -> None:
        self._items.append(item)

    def pop(self) -> T:
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def __class_getitem__(cls, item):
        return super().__class_getitem__(item)

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[T]: ...
    def __getitem__(self, i):
        return self._items[i]

    def __iter__(self) -> Iterator[T]:
        return reversed(self._items)


class Movie(TypedDict, total=False):
    title: str
    year: int
    rating: NotRequired[float]


class Box[U]:
    def __init__(self, value: U) -> None:
        self.value = value

    def map[V](self, f: Callable[[U], V]) -> Box[V]:
        return Box(f(self.value))


type Pair[A] = tuple[A, A]


def largest(items: Iterable[K]) -> K:
    it = iter(items)
    best = next(it)
    for x in it:
        if best < x:
            best = x
    return best


def logged(f: Callable[P, T]) -> Callable[P, T]:
    def inner(*args: P.args, **kwargs: P.kwargs) -> T:
        print("call", f.__name__)
        return f(*args, **kwargs)
    return inner


class Circle:
    name = "circle"

    def draw(self) -> str:
        return "O"


def is_strs(values: list[object]) -> TypeGuard[list[str]]:
    return all(isinstance(v, str) for v in values)


def mode(m: Literal["r", "w"]) -> str:
    if m == "r":
        return "read"
    elif m == "w":
        return "write"
    else:
        assert_never(m)


@logged
def area(w: float, h: Annotated[float, "metres"] = 2.0) -> float:
    return w * h


s: Stack[int] = Stack([1, 2])
s.push(3)
print(list(s), s[0], s[:2], s.pop(), Stack[int])
print(largest(["b", "z", "a"]), isinstance(3, Comparable), isinstance(Circle(), Drawable), isinstance(object(), Drawable))
m: Movie = {"title": "X", "year": 1999}
print(m, Movie.__annotations__.keys(), Movie.__total__, sorted(Movie.__required_keys__))
print(Box(3).map(str).value, area(3), UserId(5), cast(str, 5), is_strs(["a"]), mode("w"))
print(Pair.__name__, Optional[int], Literal["a", "b"], list[int] | None)
try:
    mode("x")
except AssertionError as e:
    print("assert_never")
