"""A tree of neighbours is told to look up its points beyond its memory."""
import numpy as np
from sklearn.neighbors import BallTree, KDTree

for kind in (KDTree, BallTree):
    points = np.arange(200.0).reshape(100, 2)
    tree = kind(points, leaf_size=2)
    np.asarray(tree.idx_array)[:] = 3000
    if tree.query(points[:1], k=1)[1][0, 0] >= 100:
        print("ESCAPED:places_of_a_tree")
