"""A dtype's pickle function, called with a class."""
import numpy as np

function, arguments, state = np.dtype("i8").__reduce__()
print("ESCAPED:dtype_pickle", function(*arguments))
