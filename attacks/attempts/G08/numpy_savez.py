"""numpy writes archives anywhere."""
import numpy as np

np.savez("@OUTSIDE@/a.npz", a=np.zeros(1))
print("ESCAPED:numpy_savez")
