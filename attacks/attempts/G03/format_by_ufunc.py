"""The format method of str is made a function of arrays, and called by native code with the script's text."""
import matplotlib.pyplot as plt
import numpy as np

read = np.frompyfunc(str.format, 2, 1)
text = read(np.array(["{0.__glo" + "bals__[sys].version}"], dtype=object), np.array([plt.figure], dtype=object))
print("ESCAPED:format_by_ufunc", text[0][:20])
