"""The interface's C form by a capsule of an array."""
import numpy as np

array = np.zeros(4)


class Array:
    __array_struct__ = array.__array_struct__


print("ESCAPED:array_struct", np.shares_memory(np.asarray(Array()), array))
