"""A class answers by its metaclass's __getattr__, which was set after the class was made."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Mixin:
    pass


def answer(self, name):
    if name == "__array_inter" + "face__":
        return interface
    raise AttributeError(name)


class Set:
    def __set_name__(self, owner, name):
        type.__setattr__(owner, "__getattr__", answer)


class A:
    x = Set()


print("ESCAPED:metaclass_getattr" if secret in bytes(np.asarray(A())) else "held")
