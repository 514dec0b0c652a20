"""functools.wraps updates the wrapper's dict from what a __getattr__ says is the wrapped's."""
import functools
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class Wrapped:
    __slots__ = ()

    def __getattr__(self, name):
        if name == "__dict__":
            return {"__array_inter" + "face__": interface}
        raise AttributeError(name)


def f():
    pass


class A:
    pass


a = functools.update_wrapper(A(), Wrapped(), assigned=())
print("ESCAPED:wraps_pours" if secret in bytes(np.asarray(a)) else "held")
