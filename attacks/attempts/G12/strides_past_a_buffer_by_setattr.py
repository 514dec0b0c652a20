"""The same by setattr, and it writes."""
import numpy as np

array = np.frombuffer(bytearray(4096), dtype="u1", offset=2048)
setattr(array, "strides", (2,))
last = array[1040]
array[1040] = last
print("ESCAPED:strides_past_a_buffer_by_setattr", last)
