"""The validator of a model writes private names into an object of a class that inherits from a library's."""
import logging
import typing
import pydantic

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter


class Model(pydantic.BaseModel):
    x: int = 1


def adapter(schema):
    return pydantic.TypeAdapter(typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)])


class Style:
    def usesTime(self):
        return "ESCAPED:schema_writes_private_fields"


class Mine(type(formatter)):
    pass


fields = {"type": "model-fields", "fields": {"_style": {"type": "model-field", "schema": {"type": "any"}}}}
made = adapter({"type": "model", "cls": Mine, "schema": fields}).validate_python({"_style": Style()})
print(made.usesTime())
