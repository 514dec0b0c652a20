from __future__ import annotations
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypedDict, TypeVar, Union, cast, overload

if TYPE_CHECKING:
    from pandas import DataFrame

T = TypeVar("T")
Number = Union[int, float]

class Comparable(Protocol):
    def __lt__(self, other: Any) -> bool: ...

class Row(TypedDict, total=False):
    id: str
    value: float

class Stack(Generic[T]):
    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items: list[T] = list(items)
    def push(self, item: T) -> Stack[T]:
        self._items.append(item)
        return self
    def pop(self) -> T:
        return self._items.pop()
    def __len__(self) -> int:
        return len(self._items)
    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

class Box[K]:
    def __init__(self, content: K): self.content = content

type Pairs = list[tuple[str, float]]

def first[S](items: Sequence[S], default: S | None = None) -> S | None:
    return items[0] if items else default

def apply(function: Callable[[Number], Number], values: Mapping[str, Number], mode: Literal["all", "none"] = "all") -> dict[str, Number]:
    return {k: function(v) for k, v in values.items()} if mode == "all" else {}

stack = Stack([1, 2]).push(3)
row: Row = {"id": "a", "value": 1.5}
pairs: Pairs = [("x", 1.0)]
print(len(stack), stack.pop(), list(stack), row, Box(3).content, first([]), first("ab"), apply(lambda v: v * 2, {"a": 1}), cast(int, "x"), pairs)
print(isinstance([], Sequence), isinstance({}, Mapping), issubclass(Stack, Generic))
def frame_rows(df: DataFrame) -> int:
    return len(df)
print(frame_rows(labs) > 0)
