"""A property of a class is __array_interface__."""
import numpy as np

secret = b"0123456789abcdef"


class Array:
    @property
    def __array_interface__(self):
        return {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


print("ESCAPED:array_interface_property" if secret in bytes(np.asarray(Array())) else "held")
