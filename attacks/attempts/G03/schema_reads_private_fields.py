"""The serialiser of a model reads the namespace of any object, by the names of the fields of a schema."""
import logging
import typing
import pydantic

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter


class Model(pydantic.BaseModel):
    x: int = 1


def adapter(schema):
    return pydantic.TypeAdapter(typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)])


fields = {"type": "model-fields", "fields": {"_style": {"type": "model-field", "schema": {"type": "any"}}}}
found = adapter({"type": "model", "cls": Model, "schema": fields}).dump_python(formatter)
print("ESCAPED:schema_reads_private_fields", found["_style"])
