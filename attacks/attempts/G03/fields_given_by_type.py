"""A class is made with a table of fields that names special attributes; pydantic's native code reads them."""
import dataclasses
import typing
import pydantic

@dataclasses.dataclass
class D:
    x: int = 1

table = {"__getattrib" + "ute__": dataclasses.fields(D)[0]}
A = type("A", (), {"__dataclass_fields__": table})
given = pydantic.TypeAdapter(typing.Any).dump_python(A())
print("ESCAPED:fields_given_by_type", given)
