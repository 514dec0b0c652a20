"""A schema has a computed field whose value is an attribute of the object that is serialised."""
import typing
import matplotlib.pyplot as plt
import pydantic

class M(pydantic.BaseModel):
    x: int = 1

schema = {
    "type": "model", "cls": M,
    "schema": {
        "type": "model-fields", "model_name": "M", "fields": {},
        "computed_fields": [{"type": "computed-field", "property_name": "__getattrib" + "ute__", "return_schema": {"type": "any"}}],
    },
}
own = typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)]
given = pydantic.TypeAdapter(own).dump_python(M())
print("ESCAPED:schema_computes_a_field", given)
