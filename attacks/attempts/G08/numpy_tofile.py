"""An array writes itself anywhere."""
import numpy as np

np.zeros(1).tofile("@OUTSIDE@/a.bin")
print("ESCAPED:numpy_tofile")
