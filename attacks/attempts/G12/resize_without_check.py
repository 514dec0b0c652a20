"""An array is resized although a view of it lives: the view sees freed memory."""
import numpy as np

array = np.zeros(200)
view = array[:]
array.resize(200_000, refcheck=False)
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:resize_without_check" if (view == 7.0).any() else "held")
