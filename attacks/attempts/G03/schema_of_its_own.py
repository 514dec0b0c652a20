"""A type brings a schema of its own, which tells native code to read an attribute."""
import abc
import typing
import pydantic

schema = {
    "type": "model-fields", "from_attributes": True, "model_name": "M",
    "fields": {"x": {"type": "model-field", "schema": {"type": "any"}, "validation_alias": "__getattrib" + "ute__"}},
}
own = typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)]
fields = pydantic.TypeAdapter(own).validate_python(abc.ABC)
print("ESCAPED:schema_of_its_own", fields[0]["x"])
