"""The base of a sliding window view lets go of the memory: what is allocated there next is seen through the view."""
import numpy as np

x = np.zeros(1 << 20, dtype="u1")
view = np.lib.stride_tricks.sliding_window_view(x, 16)
holder = view
while isinstance(holder, np.ndarray):
    holder = holder.base
holder.base = None
del x
found = [np.full(1 << 20, 7, dtype="u1") for _ in range(8)]
print("ESCAPED:base_let_go" if view[1 << 18, 0] == 7 else "held")
