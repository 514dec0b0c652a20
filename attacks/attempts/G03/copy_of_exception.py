"""The state of a copied exception holds what its attributes refuse."""
import copy

import matplotlib.pyplot as plt

try:
    plt.switch_backend("module://posix")
except (AttributeError, ImportError) as error:
    state = error.__reduce__()
    print("ESCAPED:copy_of_exception", copy.copy(error).obj.getpid() if hasattr(copy.copy(error), "obj") and copy.copy(error).obj else error.obj.getpid())
