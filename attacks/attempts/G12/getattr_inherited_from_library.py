"""__getattr__ of a class of a library that looks into data of the script's."""
import numpy as np
import collections

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
from scipy import optimize


class A(optimize.OptimizeResult):
    pass


a = A()
dict.__setitem__(a, "__array_inter" + "face__", interface)
print("ESCAPED:getattr_inherited_from_library" if secret in bytes(np.asarray(a)) else "held")
