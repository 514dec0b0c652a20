from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Never, override, reveal_type, Self, LiteralString, TypeIs, ReadOnly, TypedDict, Required


@dataclass(frozen=True, slots=True)
class Ok[T]:
    value: T

    def map[U](self, f: Callable[[T], U]) -> "Ok[U]":
        return Ok(f(self.value))


@dataclass(frozen=True, slots=True)
class Err[E]:
    error: E

    def map(self, f) -> Self:
        return self


type Result[T, E] = Ok[T] | Err[E]


def parse(text: str) -> Result[int, str]:
    try:
        return Ok(int(text))
    except ValueError as e:
        return Err(str(e))


def first[T](items: Iterable[T], default: T | None = None) -> T | None:
    return next(iter(items), default)


class Emp(NamedTuple):
    name: str
    age: int = 0

    def older(self, by: int = 1) -> Self:
        return self._replace(age=self.age + by)


class Base:
    def run(self) -> str: return "base"


class Sub(Base):
    @override
    def run(self) -> str: return "sub " + super().run()


class Conf(TypedDict, total=False):
    name: Required[str]
    level: ReadOnly[int]


for text in ("42", "x"):
    match parse(text).map(lambda n: n + 1):
        case Ok(value): print("ok", value)
        case Err(error): print("err", error)
print(first([]), first("ab"), Emp("a").older(3), Sub().run(), Conf(name="x"), Result.__name__, Ok.__type_params__[0].__name__)
print(Ok(1) == Ok(1), hash(Ok(1)) == hash(Ok(1)), Ok(1))
try: Ok(1).value = 2
except AttributeError as e: print(type(e).__name__)
print(sorted(Conf.__required_keys__), sorted(Conf.__optional_keys__), Conf.__total__, Emp.__annotations__["age"].__name__, Emp._field_defaults)
