"""numpy reads text of any file."""
import numpy as np

print("ESCAPED:numpy_genfromtxt" if str(np.genfromtxt("@CANARY@", dtype=str)).startswith("canary:") else "held")
