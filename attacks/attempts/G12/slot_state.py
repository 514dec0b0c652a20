"""copy sets the slots that __getstate__ names, here of a class with __getstate__ by a class statement."""
import copy
import numpy as np

secret = b"0123456789abcdef"


class A:
    def __getstate__(self):
        return (None, {"__array_inter" + "face__": {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}})


print("ESCAPED:slot_state" if secret in bytes(np.asarray(copy.copy(A()))) else "held")
