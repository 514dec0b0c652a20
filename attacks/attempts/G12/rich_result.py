"""A dict whose keys are attributes."""
import numpy as np
from scipy import optimize

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
a = optimize.OptimizeResult({"__array_inter" + "face__": interface})
print("ESCAPED:rich_result" if secret in bytes(np.asarray(a)) else "held")
