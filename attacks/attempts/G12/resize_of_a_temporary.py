"""The one reference that numpy takes for a name is a view's: an array without a name is resized, and the view sees freed memory."""
import numpy as np

box = [np.zeros(200)]
view = box[0][:]
box.pop().resize(200_000)
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:resize_of_a_temporary" if (view == 7.0).any() else "held")
