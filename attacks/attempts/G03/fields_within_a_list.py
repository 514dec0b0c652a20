"""A library's dataclass is dumped as part of a list, whose type says nothing of its items."""
import pydantic
from scipy import integrate

region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]
fields = pydantic.TypeAdapter(list).dump_python([region])[0]
print("ESCAPED:fields_within_a_list", fields["_xp"].__name__)
