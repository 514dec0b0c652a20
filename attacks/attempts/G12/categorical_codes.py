"""pandas takes the categories that the codes name.

Held by: the sandbox
"""
import numpy as np
import pandas as pd

codes = np.arange(3, 3000)
found = np.asarray(pd.Categorical.from_codes(codes, pd.Index(np.arange(3)), validate=False))
print("ESCAPED:categorical_codes" if found.any() else "held", found[found != 0][:9])
