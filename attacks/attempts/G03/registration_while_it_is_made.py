"""While dataclass() makes a class anew, the old one holds what marks a table of fields: __init_subclass__ reads it."""
import dataclasses
from typing import Any

from pydantic import TypeAdapter

marks = {}


class Base:
    def __init_subclass__(cls):
        for old in known:
            marks.update({name: getattr(old, name) for name in dir(old) if not name.isidentifier()})
        known.append(cls)


known = []


@dataclasses.dataclass(slots=True)
class Row(Base):
    x: int = 1


class Above:
    pass


class Below(Above):
    pass


table = {"__getattribute__": dataclasses.fields(Row)[0]}
Reader = type("Reader", (super,), {**marks, "__dataclass_fields__": table})
read = TypeAdapter(Any).dump_python(Reader(Above, Below))["__getattribute__"]
print("ESCAPED:registration_while_it_is_made", type(read(lambda: 1, "__globals__")).__name__)
