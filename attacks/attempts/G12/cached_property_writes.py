"""cached_property writes a special name into the instance's dict."""
import functools
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}


class A:
    pass


a = A()
cached = functools.cached_property(lambda self: interface)
cached.__set_name__(A, "__array_inter" + "face__")
cached.__get__(a, A)
print("ESCAPED:cached_property_writes" if secret in bytes(np.asarray(a)) else "held")
