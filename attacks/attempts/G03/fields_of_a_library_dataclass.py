"""pydantic reads every field of any dataclass, also a private one that holds a module."""
import typing
import pydantic
from scipy import integrate

region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]
fields = pydantic.TypeAdapter(typing.Any).dump_python(region)
print("ESCAPED:fields_of_a_library_dataclass", fields["_xp"].__name__)
