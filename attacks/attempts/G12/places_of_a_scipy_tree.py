"""A tree of scipy's is told where its points are: here one of them for all, and it would read beyond its memory, too."""
import numpy as np
from scipy.spatial import cKDTree

tree = cKDTree(np.arange(200.0).reshape(100, 2), leafsize=2)
tree.indices[:] = 7
if tree.query([0.0, 1.0])[1] == 7:
    print("ESCAPED:places_of_a_scipy_tree")
