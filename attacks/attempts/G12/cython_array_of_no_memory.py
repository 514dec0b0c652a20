"""The class of the memory behind a view of Cython's makes arrays over address 0, as long as all memory."""
import numpy as np
from sklearn.neighbors import KDTree

Array = type(KDTree(np.zeros((4, 2))).data.copy().base)
memory = Array((1 << 46,), 8, "Q", "c", False)
words = (6, 5, 4)
found = [memory[id(words) // 8 + at] for at in (3, 4, 5)]
print("ESCAPED:cython_array_of_no_memory" if found == [id(each) for each in words] else "held")
