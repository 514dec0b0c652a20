"""An array hands out ctypes."""
import numpy as np

array = np.zeros(1)
print("ESCAPED:ctypes_of_array", array.ctypes.data_as(array.ctypes._ctypes.c_void_p))
