from __future__ import annotations

import abc
import dataclasses
import typing as t
from typing import Generic, TypeVar, Protocol, overload, cast, Final, TypedDict, Annotated, NewType, get_args, get_origin

T = TypeVar("T")
ID = NewType("ID", int)
MAX: Final = 100


class HasId(Protocol):
    id: ID


E = TypeVar("E", bound=HasId)


class Payload(TypedDict, total=False):
    name: str
    tags: list[str]


@dataclasses.dataclass(order=True, kw_only=True)
class Patient:
    id: ID
    name: str = dataclasses.field(compare=False)
    notes: t.Optional[str] = None

    def __post_init__(self) -> None:
        self.name = self.name.strip().title()


class Repository(abc.ABC, Generic[E]):
    @abc.abstractmethod
    def get(self, id: ID) -> E | None: ...

    @abc.abstractmethod
    def add(self, entity: E) -> None: ...


class InMemory(Repository[E]):
    def __init__(self) -> None:
        self._data: dict[ID, E] = {}

    def get(self, id: ID) -> E | None:
        return self._data.get(id)

    def add(self, entity: E) -> None:
        if entity.id in self._data:
            raise KeyError(f"duplicate id {entity.id}")
        self._data[entity.id] = entity

    def __iter__(self) -> t.Iterator[E]:
        return iter(sorted(self._data.values()))


class Maybe(Generic[T]):
    def __init__(self, value: T | None) -> None:
        self._value = value

    def map(self, f: t.Callable[[T], T]) -> "Maybe[T]":
        return self if self._value is None else Maybe(f(self._value))

    def or_else(self, default: T) -> T:
        return default if self._value is None else self._value


@overload
def double(x: int) -> int: ...
@overload
def double(x: str) -> str: ...
def double(x):
    return x * 2


repo: InMemory[Patient] = InMemory()
repo.add(Patient(id=ID(2), name=" lee wong "))
repo.add(Patient(id=ID(1), name="eva"))
try:
    repo.add(Patient(id=ID(1), name="x"))
except KeyError as e:
    print(e.args[0])
print([p.name for p in repo], repo.get(ID(9)), Maybe(3).map(lambda v: v + 1).or_else(0), Maybe[int](None).or_else(-1))
print(double(4), double("ab"), cast(str, 5), MAX, Payload(name="x"), Payload.__annotations__.keys())
print(get_origin(dict[str, int]), get_args(t.Union[int, None]), t.get_type_hints(Patient)["notes"], Annotated[int, "positive"].__metadata__)
print(dataclasses.is_dataclass(Patient), [f.name for f in dataclasses.fields(Patient) if f.compare], InMemory.__orig_bases__[0].__args__[0])
print(Repository.__abstractmethods__ == frozenset({"get", "add"}), T.__name__, ID.__name__)
