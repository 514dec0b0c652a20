"""The same by one of several names, in a model inside another, through an adapter."""
import pandas as pd
import typing
import pydantic

class Inner(pydantic.BaseModel):
    x: typing.Any = pydantic.Field(validation_alias=pydantic.AliasChoices("no", "_mgr"))

class Outer(pydantic.BaseModel):
    inner: Inner

class Holder:
    inner = pd.Series([1])

made = pydantic.TypeAdapter(list[Outer]).validate_python([Holder()], from_attributes=True)
print("ESCAPED:model_reads_by_choice", type(made[0].inner.x).__name__)
