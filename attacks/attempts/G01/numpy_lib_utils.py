"""A module below numpy.lib."""
import numpy as np

print("ESCAPED:numpy_lib_utils", np.lib._utils_impl.sys.modules["os"].getpid())
