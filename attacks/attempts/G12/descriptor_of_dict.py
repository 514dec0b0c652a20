"""The descriptor of __dict__ is called by itself."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class A:
    pass


a = A()
vars(A)["__dict__"].__get__(a)["__array_inter" + "face__"] = interface
print("ESCAPED:descriptor_of_dict" if secret in bytes(np.asarray(a)) else "held")
