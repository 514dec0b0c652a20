"""The module itself."""
import ctypes

print("ESCAPED:ctypes_import", ctypes.string_at(id(b"x"), 8))
