"""The same by a configuration that an adapter brings for a type of others'."""
import abc
import typing
import pydantic

class M(pydantic.BaseModel):
    x: typing.Any = pydantic.Field(alias="__getattrib" + "ute__")

class Config(dict):
    pass

class Root(pydantic.RootModel[M]):
    model_config = pydantic.ConfigDict()

made = Root.model_validate(abc.ABC, from_attributes=True)
print("ESCAPED:model_reads_for_a_dataclass", made.root.x)
