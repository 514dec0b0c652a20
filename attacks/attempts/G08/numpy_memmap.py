"""numpy maps any file."""
import numpy as np

print("ESCAPED:numpy_memmap" if bytes(np.memmap("@CANARY@", mode="r")[:7]) == b"canary:" else "held")
