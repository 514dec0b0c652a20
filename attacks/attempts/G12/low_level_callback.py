"""scipy integrates a C function that is given by its address in a capsule."""
from scipy import LowLevelCallable, integrate
import ctypes

function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x)
print("ESCAPED:low_level_callback", integrate.quad(LowLevelCallable(function), 0, 1))
