"""make_dataclass takes a namespace."""
import dataclasses
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
A = dataclasses.make_dataclass("A", [], namespace={"__array_inter" + "face__": interface})
print("ESCAPED:make_dataclass_namespace" if secret in bytes(np.asarray(A())) else "held")
