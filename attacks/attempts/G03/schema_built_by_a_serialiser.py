"""A serialiser leads to the native class, which builds one that hands out the namespace of any object."""
import logging
import pydantic

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter


class Model(pydantic.BaseModel):
    x: int = 1


def serialise(held):
    held["datefmt"] = "ESCAPED:schema_built_by_a_serialiser"


Serialiser = type(pydantic.TypeAdapter(int).serializer)
inner = {"type": "any", "serialization": {"type": "function-plain", "function": serialise}}
Serialiser({"type": "model", "cls": Model, "schema": inner}).to_python(formatter)
print(formatter.datefmt)
