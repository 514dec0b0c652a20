"""numpy asks any object for __array_interface__, and __getattr__ answers with an address.

Selected: yes
"""
import numpy as np

secret = b"0123456789abcdef"


class Array:
    def __getattr__(self, name):
        if name == "__array_inter" + "face__":
            return {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
        raise AttributeError(name)


memory = np.asarray(Array())
print("ESCAPED:array_interface_by_getattr" if secret in bytes(memory) else "held")
