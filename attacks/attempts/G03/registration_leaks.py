"""A class made anew with slots gives its metaclass what marks a table of fields as dataclass()'s."""
import dataclasses
from typing import Any

from pydantic import TypeAdapter

marks = {}


class Meta(type):
    def __new__(mcs, name, bases, names, **options):
        marks.update({key: value for key, value in names.items() if not key.isidentifier()})
        return super().__new__(mcs, name, bases, names)


@dataclasses.dataclass(slots=True)
class Row(metaclass=Meta):
    x: int = 1


class Base:
    pass


class Below(Base):
    pass


table = {"__getattribute__": dataclasses.fields(Row)[0]}
Reader = type("Reader", (super,), {**marks, "__dataclass_fields__": table})
read = TypeAdapter(Any).dump_python(Reader(Base, Below))["__getattribute__"]


def mine():
    pass


print("ESCAPED:registration_leaks", type(read(mine, "__globals__")).__name__)
