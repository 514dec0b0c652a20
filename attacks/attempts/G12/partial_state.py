"""A partial object's dict is set by its own state."""
import copy
import functools
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class P(functools.partial):
    pass


p = P(print)
p.__setstate__((print, (), {}, {"__array_inter" + "face__": interface}))
print("ESCAPED:partial_state" if secret in bytes(np.asarray(p)) else "held")
