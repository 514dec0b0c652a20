"""An object is made of its address."""
import ctypes

secret = b"0123456789abcdef"
print("ESCAPED:object_from_address", ctypes.cast(id(secret), ctypes.py_object).value)
