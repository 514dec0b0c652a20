"""The model that reads a namespace stands where a schema says how to serialise."""
import logging
import typing
import pydantic

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter


class Model(pydantic.BaseModel):
    x: int = 1


def adapter(schema):
    return pydantic.TypeAdapter(typing.Annotated[typing.Any, pydantic.GetPydanticSchema(lambda source, handler: schema)])


def serialise(held):
    held["datefmt"] = "ESCAPED:schema_within_a_serialisation"


inner = {"type": "any", "serialization": {"type": "function-plain", "function": serialise}}
adapter({"type": "any", "serialization": {"type": "model", "cls": Model, "schema": inner}}).dump_python(formatter)
print(formatter.datefmt)
