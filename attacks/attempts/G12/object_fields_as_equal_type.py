"""The type of some fields says that there are objects beside them, and is equal to one made by hand that does not."""
import numpy as np

secret, found = b"0123456789abcdef", np.zeros(3, [("it", "O"), ("count", "i8")])
kind = np.dtype({"names": ["count"], "formats": ["i8"], "offsets": [8], "itemsize": 16})
found[["count"]].view(kind).view("i8")[2] = id(secret)
print("ESCAPED:object_fields_as_equal_type", found["it"][1])
