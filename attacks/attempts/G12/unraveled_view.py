"""A view by numpy's setters: shape, strides, dtype."""
import numpy as np

array = np.zeros(4, dtype="u1")
view = array[1:2]
try:
    view.strides = (1 << 20,)
    view.shape = (1,)
except ValueError:
    pass
wide = np.lib.stride_tricks.as_strided(view, (256,), (1,))
print("ESCAPED:unraveled_view", bytes(wide)[-1])
