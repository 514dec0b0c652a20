"""Call any function of the C library through ctypes.

Held by: absence
"""
import ctypes

print("ESCAPED:native_functions", ctypes.CDLL(None).getpid())
