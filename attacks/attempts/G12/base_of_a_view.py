"""The class of what a sliding window view has as its base describes any memory to numpy."""
import numpy as np

secret = b"0123456789abcdef"
holder = np.lib.stride_tricks.sliding_window_view(np.arange(5), 3)
while isinstance(holder, np.ndarray):
    holder = holder.base
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
print("ESCAPED:base_of_a_view" if secret in bytes(np.asarray(type(holder)(interface))) else "held")
