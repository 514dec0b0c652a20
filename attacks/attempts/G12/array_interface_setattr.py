"""setattr gives an object the interface."""
import numpy as np

secret = b"0123456789abcdef"


class Array:
    pass


setattr(Array, "__array_inter" + "face__", {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3})
print("ESCAPED:array_interface_setattr" if secret in bytes(np.asarray(Array())) else "held")
