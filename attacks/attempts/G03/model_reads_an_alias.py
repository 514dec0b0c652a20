"""pydantic's native code reads the attribute that a field's alias names, of any object."""
import abc
import typing
import pydantic

class M(pydantic.BaseModel):
    x: typing.Any = pydantic.Field(alias="__getattrib" + "ute__")

read = M.model_validate(abc.ABC, from_attributes=True).x
print("ESCAPED:model_reads_an_alias", read(len, "__se" + "lf__"))
