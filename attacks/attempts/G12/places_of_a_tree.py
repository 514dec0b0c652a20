"""A tree of neighbours is told where its points are: here one of them for all, and it would read beyond its memory, too."""
import numpy as np
from sklearn.neighbors import BallTree, KDTree

for kind in (KDTree, BallTree):
    points = np.arange(200.0).reshape(100, 2)
    tree = kind(points, leaf_size=2)
    np.asarray(tree.idx_array)[:] = 7
    if tree.query(points[:1], k=1)[1][0, 0] == 7:
        print("ESCAPED:places_of_a_tree")
