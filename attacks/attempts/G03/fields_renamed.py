"""The fields of a dataclass are renamed after it was made; pydantic's native code reads what they are called now."""
import dataclasses
import typing
import pandas as pd
import pydantic

@dataclasses.dataclass(init=False, repr=False, eq=False)
class D(pd.Series):
    x: int

fields = D.__dataclass_fields__
fields["_mgr"] = fields.pop("x")
given = pydantic.TypeAdapter(typing.Any).dump_python(D([1]))
print("ESCAPED:fields_renamed", type(given["_mgr"]).__name__)
