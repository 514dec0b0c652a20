"""The __getattr__ of a base is called by the derived class's with another name."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Meta(type):
    def __getattr__(cls, name):
        if name.endswith("face__"):
            return interface
        raise AttributeError(name)


class A(metaclass=Meta):
    pass


print("ESCAPED:getattr_super" if secret in bytes(np.asarray(A)) else "held")
