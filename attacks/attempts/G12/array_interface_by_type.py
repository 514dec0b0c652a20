"""A class made by type() carries __array_interface__."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
memory = np.array(type("Array", (), {"__array_inter" + "face__": interface})())
print("ESCAPED:array_interface_by_type" if secret in bytes(memory) else "held")
