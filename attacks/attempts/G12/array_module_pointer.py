"""A masked array's base is a view without bounds."""
import numpy as np

array = np.ma.array([1.0])
print("ESCAPED:array_module_pointer", np.lib._stride_tricks_impl.as_strided(array.data, (64,))[-1])
