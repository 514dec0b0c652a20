"""A tagged union reads its tag of any object, without from_attributes, and says what it has found."""
import typing
import pandas as pd
import pydantic

class C(pydantic.BaseModel):
    tag: typing.Literal["a"] = pydantic.Field(alias="_mgr")

class D(pydantic.BaseModel):
    tag: typing.Literal["b"] = pydantic.Field(alias="_mgr")

adapter = pydantic.TypeAdapter(typing.Annotated[typing.Union[C, D], pydantic.Field(discriminator="tag")])
try:
    adapter.validate_python(pd.Series([4711]))
except pydantic.ValidationError as error:
    text = str(error)
print("ESCAPED:union_reads_a_tag" if "BlockManager" in text else "held", text[:200])
