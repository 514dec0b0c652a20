"""A pickle in the dress of an .npy, read by memory mapping off."""
import numpy as np


class Evil:
    def __reduce__(self):
        return print, ("ESCAPED:scipy_matlab_object",)


array = np.empty(1, dtype=object)
array[0] = Evil()
np.save(OUTPUT / "a.npy", array, allow_pickle=True)
np.load(OUTPUT / "a.npy", allow_pickle=1)
