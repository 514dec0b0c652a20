"""The functional API of Enum keeps special names as attributes of the class."""
import enum
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
E = enum.Enum("E", {"A": 1, "__array_inter" + "face__": interface})
print("ESCAPED:enum_functional" if secret in bytes(np.asarray(E.A)) else "held")
