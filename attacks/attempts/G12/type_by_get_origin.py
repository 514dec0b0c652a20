"""typing hands out the real type."""
import typing
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
real = typing.get_origin(typing.Type[int])
print("ESCAPED:type_by_get_origin" if secret in bytes(np.asarray(real("A", (), {"__array_inter" + "face__": interface})())) else "held")
