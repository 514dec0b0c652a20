"""An array is resized although a memoryview of it lives, which shows freed memory."""
import numpy as np

array = np.zeros(200)
view = memoryview(array)
array.resize(200_000, refcheck=False)
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:resize_under_a_memoryview" if 7.0 in view.tolist() else "held")
