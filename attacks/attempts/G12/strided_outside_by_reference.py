"""as_strided reaches beyond an array by the name that another module of numpy gives it."""
import numpy as np

window = np.lib.stride_tricks.sliding_window_view
strided = getattr(np.lib.stride_tricks, "as_strided")
for attempt in (strided,):
    view = attempt(np.zeros(4, "u1"), shape=(4096,), strides=(1,))
print("ESCAPED:strided_outside_by_reference", view.shape, bytes(view[16:32]) != bytes(16))
