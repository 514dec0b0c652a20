"""A view with strides that leave the array."""
import numpy as np

array = np.lib.stride_tricks.as_strided(np.zeros(1), (64,), (8,))
print("ESCAPED:as_strided", array[-1])
