"""Whole sparse matrices and factors are what they say where native code takes them."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, EarlyAndLate

NAMES = [*IMPORTS, "scipy.sparse", "scipy.sparse.linalg", "scipy.sparse.csgraph", "sklearn"]
NAMES += [f"sklearn.{each}" for each in "tree svm linear_model cluster preprocessing neighbors metrics".split()]
NAMES += ["sklearn.utils", "sklearn.utils.sparsefuncs", "numpy.lib.recfunctions"]

GRAPHS = (
    "connected_components minimum_spanning_tree dijkstra reverse_cuthill_mckee structural_rank maximum_bipartite_matching "
    "laplacian shortest_path min_weight_full_bipartite_matching floyd_warshall csgraph_to_dense bellman_ford johnson"
).split()
ESTIMATORS = {
    "a tree": "DecisionTreeClassifier().fit(m, y)",
    "a machine": "SVC().fit(m, y)",
    "a linear machine": "LinearSVC().fit(m, y)",
    "a linear model": "LogisticRegression(solver='saga').fit(m, y)",
    "clusters": "KMeans(2, n_init=1).fit(m)",
    "a scale": "StandardScaler(with_mean=False).fit_transform(m)",
    "a sum of squares": "normalize(m)",
    "neighbours": "KNeighborsClassifier(2).fit(m, y).predict(m)",
    "distances": "pairwise_distances(m, metric='manhattan')",
    "variances": "sparsefuncs.mean_variance_axis(m, 0)",
}
CHANGES = {"far": "m.indices[5] = 10**8", "before": "m.indices[:] = -10**8", "rows": "m.indptr[5:-1] = 10**8"}
OTHERS = {
    "an order of columns": "lu = sl.splu(m.tocsc()); lu.perm_c[:] = 10**8; assert lu.solve(np.ones(30)).shape == (30,); raise ValueError",
    "an order of rows": "lu = sl.splu(m.tocsc()); lu.perm_r[:] = 10**8; assert lu.solve(np.ones(30)).shape == (30,); raise ValueError",
    "predecessors": "csgraph.construct_dist_matrix(np.ones((3, 3)), np.full((3, 3), 10**8))",
    "a function of nothing": "type(np.linspace)()",
    "a function of a number": "type(np.linspace)(1)",
    "a function of two": "type(np.linspace)(len, len)",
    "objects in one place": "a = np.ndarray((3,), object, strides=(0,))",
    "a shape of its own": (
        "class Heir(sparse.csr_array):\n        shape = property(lambda self: (10**6, 10**6), lambda self, to: None)\n"
        "    csgraph.connected_components(Heir(m))"
    ),
    "indices of its own": (
        "class Heir(sparse.csr_array):\n        indices = property(lambda self: np.full(465, 10**8), lambda self, to: None)\n"
        "    csgraph.dijkstra(Heir(m))"
    ),
}

SCRIPT = """
import numpy as np
from scipy import sparse
from scipy.sparse import csgraph, linalg as sl
from sklearn.tree import DecisionTreeClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.linear_model import LogisticRegression
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.neighbors import KNeighborsClassifier
from sklearn.metrics import pairwise_distances
from sklearn.utils import sparsefuncs

y = np.arange(30) % 2

def attempt(label, act):
    m = sparse.csr_array(np.triu(np.ones((30, 30))))
    try:
        act(m)
    except (ValueError, IndexError, TypeError):
        return
    print(label)
"""

WORKING = """
import numpy as np
from scipy import sparse
from scipy.sparse import csgraph, linalg as sl
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import MaxAbsScaler, normalize
from sklearn.cluster import KMeans
from sklearn.utils import sparsefuncs
from numpy.lib import recfunctions

d = np.array([[0, 7, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1], [3, 0, 0, 0.0]])
for like in (sparse.csr_array, sparse.csr_matrix):
    for fmt in "csr csc coo lil dok dia bsr".split():
        g = like(d).asformat(fmt)
        assert csgraph.connected_components(g, connection="strong")[0] == 1 and csgraph.dijkstra(g, indices=0)[3] == 10, fmt
        assert csgraph.shortest_path(g.tocsr())[1, 3] == 3 and csgraph.minimum_spanning_tree(g).sum() == 6
        assert csgraph.laplacian(g).shape == (4, 4) and csgraph.csgraph_to_dense(g.tocsr())[0, 1] == 7
for fmt in ("csr", "csc"):
    g = sparse.csr_array(d).asformat(fmt)
    assert sorted(csgraph.reverse_cuthill_mckee(g).tolist()) == [0, 1, 2, 3] and csgraph.structural_rank(g) == 4
flow = csgraph.maximum_flow(sparse.csr_array(d.astype("i4")), 0, 3)
assert flow.flow_value == 1 and csgraph.maximum_bipartite_matching(sparse.csr_array(d)).tolist() == [3, 0, 1, 2]
dist, before = csgraph.shortest_path(sparse.csr_array(d), return_predecessors=True)
assert np.array_equal(csgraph.construct_dist_matrix(sparse.csr_array(d), before), dist)
assert csgraph.breadth_first_order(sparse.csr_array(d), 0, return_predecessors=False).tolist() == [0, 1, 2, 3]
assert csgraph.dijkstra(d, indices=0)[3] == 10 and csgraph.csgraph_from_dense(d).nnz == 4
class Named(sparse.csr_array):
    name = "mine"
assert csgraph.connected_components(Named(d))[0] == 1

lu = sl.splu(sparse.csc_array(d)); assert sorted(lu.perm_c.tolist()) == [0, 1, 2, 3] == sorted(lu.perm_r.tolist())
assert np.allclose(lu.solve(np.ones(4)), np.linalg.solve(d, np.ones(4)))

x = sparse.random_array((40, 6), density=.5, format="csr", rng=1); y = np.arange(40) % 2
for fmt in "csr csc coo".split():
    a = x.asformat(fmt)
    assert LogisticRegression(solver="liblinear").fit(a, y).predict(a).shape == (40,) and KMeans(2, n_init=1).fit(a).labels_.shape == (40,)
    assert np.allclose(normalize(a, norm="l1").sum(axis=1).max(), 1)
b = x.copy(); made = MaxAbsScaler(copy=False).fit_transform(b); assert b.max() == 1 == made.max()
assert np.allclose(sparsefuncs.mean_variance_axis(x, 0)[0], x.toarray().mean(axis=0))
joined = recfunctions.append_fields(np.array([(1,)], [("a", int)]), "b", [2.0]); assert joined["b"][0] == 2
assert recfunctions.structured_to_unstructured(np.array([(1, 2)], [("a", int), ("b", int)])).tolist() == [[1, 2]] and np.linspace(0, 1, 3)[1] == .5
print("worked")
"""


class SparseMatrices(EarlyAndLate):
    names = NAMES
    early = ("scipy.sparse.csgraph", "sklearn.utils.sparsefuncs")

    def test_what_was_changed_is_refused(self) -> None:
        attempts = {f"{graph} {label}": f"{change}; csgraph.{graph}(m)" for graph in GRAPHS for label, change in CHANGES.items()}
        attempts |= {f"{label} {where}": f"{change}; {text}" for label, text in ESTIMATORS.items() for where, change in CHANGES.items()}
        attempts |= OTHERS
        functions = "".join(
            f"def act(m):\n    {text.replace('; ', chr(10) + '    ')}\nattempt({label!r}, act)\n" for label, text in attempts.items()
        )
        self.assert_prints("all\n", SCRIPT + functions + "print('all')")

    def test_whoever_works_with_them_goes_on(self) -> None:
        self.assert_prints("worked\n", WORKING)


if __name__ == "__main__":
    unittest.main()
