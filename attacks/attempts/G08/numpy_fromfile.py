"""numpy reads bytes of any file."""
import numpy as np

print("ESCAPED:numpy_fromfile" if np.fromfile("@CANARY@", dtype="S7")[0] == b"canary:" else "held")
