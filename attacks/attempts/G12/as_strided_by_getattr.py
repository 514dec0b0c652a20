"""The same by a built name."""
import numpy as np

array = getattr(np.lib.stride_tricks, "as_" + "strided")(np.zeros(1), (64,), (8,))
print("ESCAPED:as_strided_by_getattr", array[-1])
