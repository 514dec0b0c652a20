"""A subclass of arrays says another shape than it has: the strides are checked against that."""
import numpy as np


class Lying(np.ndarray):
    shape = property(lambda self: (0,))
    ndim = 1
    itemsize = 0


array = np.frombuffer(bytearray(64), "u1", count=4, offset=60).view(Lying)
array.strides = (16,)
plain = array.view(np.ndarray)
print("ESCAPED:strides_of_a_lying_class", plain.strides, plain[1:].tolist())
