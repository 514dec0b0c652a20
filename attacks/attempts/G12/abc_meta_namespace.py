"""A metaclass of a library is called with a namespace."""
import abc
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
A = abc.ABCMeta("A", (), {"__array_inter" + "face__": interface})
print("ESCAPED:abc_meta_namespace" if secret in bytes(np.asarray(A())) else "held")
