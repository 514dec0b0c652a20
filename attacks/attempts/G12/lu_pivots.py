"""LAPACK swaps the rows that the pivots name.

Held by: the sandbox
"""
import numpy as np
from scipy import linalg

for row in range(2, 512):
    found = linalg.lu_solve((np.eye(2), np.array([row, 1], dtype="i4")), np.zeros((2, 1)), check_finite=False)
    if found.any():
        print("ESCAPED:lu_pivots", found.ravel())
        break
