"""The same by import."""
from numpy.lib.stride_tricks import as_strided

print("ESCAPED:as_strided_import", as_strided([0.0], (64,), (8,))[-1])
