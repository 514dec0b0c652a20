"""getattr as a numpy ufunc."""
import numpy as np

print("ESCAPED:getattr_frompyfunc", np.frompyfunc(getattr, 2, 1)(np.array([print], dtype=object), "__se" + "lf__")[0].__name__)
