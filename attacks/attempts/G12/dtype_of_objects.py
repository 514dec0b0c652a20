"""A dtype whose pickled state says that it holds no objects."""
import numpy as np

dtype = np.dtype([("a", "O")])
state = list(dtype.__reduce__()[2])
state[-1] = 0
plain = np.dtype([("a", "i8")])
plain.__setstate__(tuple(state))
print("ESCAPED:dtype_of_objects", plain.flags, plain.hasobject)
