"""A model holds a library's dataclass, whose private fields are dumped with it."""
import typing
import pydantic
from scipy import integrate

region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]


class Model(pydantic.BaseModel):
    held: typing.Any


print("ESCAPED:fields_nested_in_a_model", Model(held=[region]).model_dump()["held"][0]["_xp"].__name__)
