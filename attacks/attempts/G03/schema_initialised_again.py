"""A validator that may not read attributes is initialised again, with a schema that may."""
import abc
import typing
import pydantic

fields = {"x": {"type": "model-field", "schema": {"type": "any"}, "validation_alias": "__getattrib" + "ute__"}}
schema = {"type": "model-fields", "model_name": "M", "fields": fields}
own = typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)]
validator = pydantic.TypeAdapter(own).validator
try:
    validator.__init__({"type": "any"})
except TypeError:
    pass
print("ESCAPED:schema_initialised_again", validator.validate_python(abc.ABC, from_attributes=True)[0]["x"])
