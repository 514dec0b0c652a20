"""Pivots, which nobody looks at, exchange rows of a right side with what lies behind it."""
import numpy as np
from scipy.linalg import lu_solve

count = 1000
factors, pivots = np.eye(count), np.arange(count)
right = np.zeros(count)
pivots[:400] = np.arange(400) + count + 2
held = [np.full(count, 7.0) for _ in range(400)]
del held[100:300:2]
print("ESCAPED:pivots_outside_of_a_matrix" if lu_solve((factors, pivots), right).any() else "held")
