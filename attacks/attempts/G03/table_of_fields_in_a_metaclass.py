"""A metaclass keeps the table of fields with which a class is made anew, and adds to it afterwards."""
import dataclasses
from typing import Any

from pydantic import TypeAdapter

tables = []


class Meta(type):
    def __new__(mcs, name, bases, names, **options):
        tables.append(names.get("__dataclass_fields__"))
        return super().__new__(mcs, name, bases, names)


class Above:
    pass


class Below(Above):
    pass


@dataclasses.dataclass(init=False, slots=True)
class Reader(super, metaclass=Meta):
    x: int = 1

    def __init__(self, *given):
        super.__init__(self, *given)


tables[-1]["__getattribute__"] = tables[-1].pop("x")
read = TypeAdapter(Any).dump_python(Reader(Above, Below))["__getattribute__"]
print("ESCAPED:table_of_fields_in_a_metaclass", type(read(lambda: 1, "__globals__")).__name__)
