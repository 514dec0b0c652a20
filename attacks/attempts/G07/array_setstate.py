"""An array's __setstate__ takes the bytes of object pointers."""
import numpy as np

array = np.empty(0, dtype="i8")
array.__setstate__((1, (1,), np.dtype("i8"), False, b"\x01" * 8))
print("ESCAPED:array_setstate", array)
