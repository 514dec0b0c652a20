"""A class that the guard replaces is taken from another module, which re-exports the real one."""
import matplotlib.patches as patches
import numpy as np

secret = b"0123456789abcdef"
memory = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
name = "__array_inter" + "face__"
found = bytes(np.asarray(patches.SimpleNamespace(**{name: memory})))
print("ESCAPED:namespace_re_exported" if secret in found else "held")
