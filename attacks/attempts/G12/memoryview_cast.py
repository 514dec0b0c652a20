"""An array's buffer by a memoryview, whose size is told to be another."""
import numpy as np

view = memoryview(np.zeros(1))
print("held", view.cast("B")[0])
print("ESCAPED:memoryview_cast", np.lib.stride_tricks.as_strided(np.frombuffer(view), (64,))[-1])
