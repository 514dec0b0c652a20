"""Find the functions that were taken from os where else they are kept.

Held by: absence
"""
import os

found = {each.__name__: each for name in dir(os) if name.startswith("supports_") and isinstance(getattr(os, name), set) for each in getattr(os, name)}
found["chmod"](".", 0o700)
print("ESCAPED:functions_elsewhere", sorted(found))
