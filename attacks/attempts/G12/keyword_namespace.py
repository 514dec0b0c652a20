"""A library's class takes its attributes from keywords: matplotlib's animation and statsmodels' holders."""
import json
import numpy as np
import statsmodels.api as sm

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
model = sm.OLS([1.0, 2.0], [1.0, 2.0], **{"__array_inter" + "face__": interface})
found = [model, model.data]
print("ESCAPED:keyword_namespace" if any(secret in bytes(np.asarray(each)) for each in found) else "held")
