"""__getattr__ is a property of a base that is no function: a partial, a class with __get__, a builtin."""
import functools
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Names(dict):
    pass


class A:
    __getattr__ = functools.partial(lambda names, name: interface if name in names else missing(name), ["__array_inter" + "face__"])


def missing(name):
    raise AttributeError(name)


print("ESCAPED:getattr_by_decorator" if secret in bytes(np.asarray(A())) else "held")
