"""Views of an array: moving windows without copies, and strides by hand."""

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

values = np.arange(12, dtype=float)
print(sliding_window_view(values, 4).mean(axis=1))
print(sliding_window_view(values.reshape(3, 4), (2, 2)).sum(axis=(2, 3)))


def windows(a, width, step=1):
    count = (a.size - width) // step + 1
    return as_strided(a, shape=(count, width), strides=(a.strides[0] * step, a.strides[0]), writeable=False)


print(windows(values, 3, 2))
print(windows(values[::-1], 3, 4))
print(as_strided(values[2:8], (2, 3), (24, 8)), windows(values[:0], 0).shape)
