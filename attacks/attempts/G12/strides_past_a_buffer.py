"""The strides of an array that begins in the middle of a buffer reach beyond it: numpy counts the offset twice."""
import numpy as np

array = np.frombuffer(bytearray(1 << 16), dtype="u1", offset=1 << 15)
array.strides = (2,)
print("ESCAPED:strides_past_a_buffer", array[-1])
