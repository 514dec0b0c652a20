"""A dataclass that inherits from a library's class has a field of a private name; pydantic's native code reads it."""
import dataclasses
import typing
import pandas as pd
import pydantic

@dataclasses.dataclass(init=False, repr=False, eq=False)
class D(pd.Series):
    _mgr: typing.Any

given = pydantic.TypeAdapter(typing.Any).dump_python(D([1]))
print("ESCAPED:fields_that_are_private", type(given["_mgr"]).__name__)
