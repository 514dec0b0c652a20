"""The fields of a dtype come as a proxy; what it is joined with, or ordered with, gets the dict behind it."""
import numpy as np


class Other:
    def __ror__(self, other):
        seen.append(other)
        return {}

    def __gt__(self, other):
        seen.append(other)
        return True


seen = []
kind = np.dtype([("a", "u1"), ("b", "u1")])
kind.fields | Other()
try:
    kind.fields < Other()
except TypeError:
    pass
array = np.zeros(4, kind)
for each in seen:
    each["b"] = (np.dtype("V3000"), 100_000)
print("ESCAPED:fields_of_a_dtype_by_or" if len(array["b"][0].tobytes()) == 3000 else "held")
