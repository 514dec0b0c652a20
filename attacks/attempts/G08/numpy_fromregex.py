"""numpy opens what a regular expression is to read."""
import numpy as np

print("ESCAPED:numpy_fromregex" if np.fromregex("@CANARY@", r"(.*)", [("a", "S9")])["a"][0].startswith(b"canary:") else "held")
