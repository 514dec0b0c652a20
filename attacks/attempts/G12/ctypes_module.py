"""numpy keeps ctypes."""
import numpy as np

print("ESCAPED:ctypes_module", np.ctypeslib.ctypes.string_at(id(b"x"), 8))
