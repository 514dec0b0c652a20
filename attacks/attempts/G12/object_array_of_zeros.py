"""Strides of a new array let all its items be one pointer, which it gives up as often as it has items."""
import numpy as np


class Mine(np.ndarray):
    pass


found = Mine((9,), object, strides=(0,))
found[0] = "held once"
print("ESCAPED:object_array_of_zeros", found[8])
