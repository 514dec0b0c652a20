"""A private submodule of an allowed package."""
import numpy._core._internal as internal

print("ESCAPED:private_submodule", internal.ctypes.sizeof(internal.ctypes.c_int))
