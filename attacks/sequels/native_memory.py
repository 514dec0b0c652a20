"""Read and write memory through ctypes, which raises no event for memmove.

Held by: absence
"""
import ctypes

secret = b"0123456789abcdef"
found = ctypes.create_string_buffer(64)
ctypes.memmove(found, id(secret), 64)
if secret in found.raw:
    print("ESCAPED:native_memory")
