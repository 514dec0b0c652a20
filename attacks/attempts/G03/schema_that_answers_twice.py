"""The same schema is a dict that answers a check in one way, and native code in another."""
import abc
import typing
import pydantic

class Lie(dict):
    def get(self, name, default=None): return default
    def items(self): return []
    def __iter__(self): return iter(())
    def values(self): return []

schema = Lie({
    "type": "model-fields", "from_attributes": True, "model_name": "M",
    "fields": {"x": {"type": "model-field", "schema": {"type": "any"}, "validation_alias": "__getattrib" + "ute__"}},
})
own = typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)]
fields = pydantic.TypeAdapter(own).validate_python(abc.ABC)
print("ESCAPED:schema_that_answers_twice", fields[0]["x"])
