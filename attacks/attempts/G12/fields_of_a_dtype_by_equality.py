"""The fields of a dtype come as a proxy; what it is compared with gets the dict, and writes a size into it."""
import numpy as np


class Equal:
    def __eq__(self, other):
        seen.append(other)
        return True


seen = []
kind = np.dtype([("a", "u1"), ("b", "u1")])
kind.fields == Equal()
array = np.zeros(4, kind)
seen[0]["a"] = (np.dtype("V3000"), 0)
print("ESCAPED:fields_of_a_dtype_by_equality" if len(array["a"][0].tobytes()) == 3000 else "held")
