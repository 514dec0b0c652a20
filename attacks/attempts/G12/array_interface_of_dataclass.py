"""A dataclass instance gets the attribute by functools.update_wrapper."""
import functools
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Source:
    def __getattr__(self, name):
        return interface


class Array:
    pass


array = functools.update_wrapper(Array(), Source(), ("__array_inter" + "face__",), ())
print("ESCAPED:array_interface_of_dataclass" if secret in bytes(np.asarray(array)) else "held")
