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
array.resize(1 << 20, refcheck=False)
print("ESCAPED:memory_of_arrays", array.size != other.size)
