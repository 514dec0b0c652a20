"""A schema says that a library's class is a model: a serialiser then gives its objects' private state."""
import typing
import pandas as pd
import pydantic

schema = {
    "type": "model", "cls": pd.Series,
    "schema": {"type": "model-fields", "model_name": "M", "fields": {"_mgr": {"type": "model-field", "schema": {"type": "any"}}}},
}
own = typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)]
given = pydantic.TypeAdapter(own).dump_python(pd.Series([1]), warnings=False)
print("ESCAPED:schema_of_a_library_class", type(given["_mgr"]).__name__)
