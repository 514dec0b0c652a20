"""A memoryview of an array of objects is cast to bytes, and written."""
import struct

import numpy as np

secret, found = b"0123456789abcdef", np.array([None])
memoryview(found).cast("B")[:] = struct.pack("q", id(secret))
print("ESCAPED:object_array_as_bytes", found[0])
