"""object.__setattr__ writes any name."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class A:
    pass


a = A()
object.__setattr__(a, "__array_inter" + "face__", interface)
print("ESCAPED:object_setattr" if secret in bytes(np.asarray(a)) else "held")
