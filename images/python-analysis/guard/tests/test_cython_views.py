"""Cython's own classes of memory make no object that reads or writes what is not its own."""

from __future__ import annotations

import unittest
from typing import Any

from hotcell_guard.granting import _types
from hotcell_guard.libraries import _cython_views
from hotcell_guard.libraries._cython_views import CythonViews
from hotcell_guard.libraries._natives import Natives
from tests.host import IMPORTS, Host

WORKING = """
import copy
import numpy as np
from scipy.spatial.transform import Rotation
from sklearn.cluster import DBSCAN
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import BallTree, KDTree, KernelDensity, NearestNeighbors

X = np.arange(20.0).reshape(10, 2)
for kind in (KDTree, BallTree):
    tree = kind(X)
    assert (tree.data == X).all() and tree.sample_weight is None and tree.node_bounds.shape[-1] == 2
    assert sorted(tree.idx_array) == list(range(10)) and tree.node_data["idx_end"][0] == 10
    tree.idx_array[:], tree.data[:] = 3000, 9
    assert tree.query(X[:1], k=2)[1].tolist() == copy.deepcopy(tree).query(X[:1], k=2)[1].tolist() == [[0, 1]]
assert KernelDensity().fit(X, sample_weight=np.ones(10)).tree_.sample_weight.sum() == 10

def metric(a, b, p=1):
    return float((abs(a - b) ** p).sum())

for tree in (BallTree(X, metric=metric), copy.deepcopy(BallTree(X, metric=metric))):
    assert tree.query(X[:1], k=2)[0].tolist() == [[0, 4]]
assert BallTree(X, metric="pyfunc", func=metric, p=2).query(X[:1], k=2)[0].tolist() == [[0, 8]]
for found in (DistanceMetric.get_metric(metric).pairwise(X), DistanceMetric.get_metric("pyfunc", np.float32, func=metric).pairwise(X.astype("f4"))):
    assert found[0].tolist() == [4.0 * at for at in range(10)]
assert NearestNeighbors(metric=metric, algorithm="ball_tree").fit(X).kneighbors(X)[1][0].tolist() == [0, 1, 2, 3, 4]
assert DBSCAN(eps=5, min_samples=2, metric=metric).fit(X).labels_.tolist() == [0] * 10
assert Rotation.from_euler("xyz", [1, 2, 3]).as_matrix().shape == (3, 3) and len(Rotation.random(5)) == 5
print("worked")
"""


class Closed(unittest.TestCase):
    kinds: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        import numpy.random  # which has such classes

        assert numpy.random
        found = list(_cython_views._found())
        cls.kinds = {kind.__name__: kind for kind in found}
        views = CythonViews(Natives())
        views.close()
        views.close()

    def test_the_classes_are_found_and_shown_as_none(self) -> None:
        self.assertEqual({"array", "memoryview", "_memoryviewslice", "Enum"}, {*self.kinds})
        for kind in self.kinds.values():
            self.assertIs(object, _types.shown(kind))
            self.assertIsNot(kind, _types.shown(kind))

    def test_nobody_inherits_from_them_or_makes_one_past_the_look(self) -> None:
        for kind in self.kinds.values():
            self.assertRaises(TypeError, type, "Own", (kind,), {})
            self.assertRaises(TypeError, object.__new__, kind)
            self.assertRaises(TypeError, kind.__new__, kind, (2,), 8, "Q")
        for name in ("_memoryviewslice", "Enum"):
            self.assertRaises(TypeError, self.kinds[name], bytearray(8), 0)

    def test_an_array_has_memory_of_its_own_and_nothing_in_it(self) -> None:
        array = self.kinds["array"]
        self.assertEqual([0, 0], memoryview(array((2,), 8, "Q")).tolist())
        for wrong in ((2,), 8, "Q", "c", False), ((2,), 1, "Q"), ((2,), 8, "O"), ((2,), 8, b"Q", "fortran"), ((2,), 8, "100s"):
            self.assertRaises(TypeError, array, *wrong)
        self.assertRaises(MemoryError, array, (1 << 62, 4), 8, "Q")
        self.assertRaises(MemoryError, array, (True, 4), 8, "Q")

    def test_a_view_takes_no_numbers_for_objects(self) -> None:
        view = self.kinds["memoryview"]
        self.assertEqual(3, len(view(bytearray(3), 0x18)))
        self.assertRaises(TypeError, view, bytearray(8), 0x18, True)

    def test_nothing_is_looked_for_once_natives_are_closed(self) -> None:
        natives = Natives()
        vars(natives).clear()
        self.assertFalse(natives.is_open)
        CythonViews(natives).close()


TREES = """
import numpy as np
from scipy import spatial

points = np.random.default_rng(0).normal(size=(40, 2))
for kind in (spatial.cKDTree, spatial.KDTree):
    tree = kind(points, leafsize=4)
    distances, found = tree.query([0, 0], 3)
    tree.indices[:] = 10**7
    node = tree.tree
    if kind is spatial.cKDTree:
        while node.lesser is not None:
            node.indices[:] = 10**7
            node = node.lesser
        node.indices[:] = 10**7
    else:
        while not hasattr(node, "idx"):
            node = node.less
        node.idx[:] = 10**7
    assert (tree.query([0, 0], 3)[1] == found).all() and sorted(tree.indices) == list(range(40))
print("worked")
"""


class Working(unittest.TestCase):
    def test_trees_of_scipy_keep_their_places(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        for preloaded in ([], [{"name": "early", "module": "scipy.spatial"}]):
            run = host.run(TREES, imports=[*IMPORTS, "scipy.spatial"], preloaded=preloaded)
            self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))

    def test_what_scripts_use(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        modules = [*IMPORTS, "copy", "scipy.spatial.transform", "sklearn.cluster", "sklearn.metrics", "sklearn.neighbors"]
        for preloaded in ([], [{"name": "early", "module": "sklearn.neighbors"}]):
            run = host.run(WORKING, imports=modules, preloaded=preloaded)
            self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))
