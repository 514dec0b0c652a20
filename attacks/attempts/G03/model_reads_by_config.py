"""The same, switched on by the model's configuration, and by a path of names."""
import abc
import typing
import pydantic

class M(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(from_attributes=True)
    x: typing.Any = pydantic.Field(validation_alias=pydantic.AliasPath("register", "__func__", "__glo" + "bals__"))

class Holder:
    register = abc.ABC.register

print("ESCAPED:model_reads_by_config", sorted(M.model_validate(Holder()).x)[:2])
