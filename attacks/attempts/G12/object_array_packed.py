"""struct writes numbers into the memory of an array of objects."""
import struct

import numpy as np

secret, found = b"0123456789abcdef", np.array([None])
struct.pack_into("q", found, 0, id(secret))
print("ESCAPED:object_array_packed", found[0])
