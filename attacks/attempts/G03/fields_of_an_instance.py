"""A dataclass that inherits from a library's class has a field that only its objects have, a private one."""
import dataclasses
import typing
import pandas as pd
import pydantic

@dataclasses.dataclass(init=False, repr=False, eq=False)
class D(pd.Series):
    _item_cache: typing.Any

given = pydantic.TypeAdapter(typing.Any).dump_python(D([1]))
print("ESCAPED:fields_of_an_instance", given)
