"""A class attribute of a special name by namedtuple's defaults and subclassing with keywords."""
import typing
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Base:
    def __init_subclass__(cls, **names):
        for name, value in names.items():
            type.__setattr__(cls, name, value)


class A(Base, **{"__array_inter" + "face__": interface}):
    pass


print("ESCAPED:named_tuple_method" if secret in bytes(np.asarray(A())) else "held")
