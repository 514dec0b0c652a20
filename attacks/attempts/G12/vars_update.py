"""vars() is the dict itself."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class A:
    pass


a = A()
dict.update(vars(a), {"__array_inter" + "face__": interface})
dict.__setitem__(vars(a), "__array_inter" + "face__", interface)
print("ESCAPED:vars_update" if secret in bytes(np.asarray(a)) else "held")
