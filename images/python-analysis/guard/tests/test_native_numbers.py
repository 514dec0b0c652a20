"""What native code of scipy and pandas is told of places in its arrays."""

from __future__ import annotations

import unittest

from tests.benign import policy
from tests.host import Host

REFUSED = """
import numpy as np
from scipy import interpolate, linalg, ndimage, signal, spatial
from scipy.linalg import lapack
from scipy.cluster import hierarchy

places = np.linspace(0, 1, 20)
heights = np.sin(places)
picture = np.ones((9, 9))
nan = float("nan")

def changed(made, **attributes):
    for name, value in attributes.items():
        setattr(made, name, value)
    return made

def spline(**attributes):
    return changed(interpolate.make_interp_spline(places, heights), **attributes)

def product(**attributes):
    knots = np.arange(10.0)
    return changed(interpolate.NdBSpline((knots, knots), np.ones((6, 6)), 3), **attributes)

def grid(**attributes):
    return changed(interpolate.RegularGridInterpolator((places, places), np.ones((20, 20))), **attributes)

def tree(value, column=0):
    found = hierarchy.linkage(np.arange(20.0).reshape(10, 2) ** 2)
    found[3, column] = value
    return found

knots, coefficients, degree = interpolate.splrep(places, heights)
where = np.full((50, 2), 0.9)
for number, (call, reason) in enumerate((
    (lambda: spline(c=np.zeros(1))(places), "coefficients"),
    (lambda: spline(t=np.arange(3.0))(places), "coefficients"),
    (lambda: spline(t=np.arange(3000.0))(places), "coefficients"),
    (lambda: spline(k=1000)(places), "coefficients"),
    (lambda: spline(k=-5)(places), "coefficients"),
    (lambda: product(c=np.zeros((1, 1)))(where), "coefficients"),
    (lambda: grid(values=np.zeros((1, 1)))(where), "values of a grid"),
    (lambda: grid(grid=(np.arange(1e3), np.arange(1e3)))(where + 500), "values of a grid"),
    (lambda: interpolate.splev(places, (knots, coefficients, 1000)), "degree of a spline"),
    (lambda: interpolate.splint(0, 1, (knots, coefficients, 1000)), "degree of a spline"),
    (lambda: interpolate.spalde(0.5, (knots, coefficients, -1)), "degree of a spline"),
    (lambda: interpolate.insert(0.5, (knots, np.zeros(1), 3)), "coefficients"),
    (lambda: interpolate.insert(0.5, (knots, coefficients, 50)), "degree of a spline"),
    (lambda: ndimage.shift(picture, nan, mode="reflect"), "numbers between"),
    (lambda: ndimage.shift(picture, 1e300, mode="wrap"), "numbers between"),
    (lambda: ndimage.affine_transform(picture, [1, nan], mode="mirror"), "numbers between"),
    (lambda: hierarchy.fcluster(tree(nan), 1.0), "joins two clusters"),
    (lambda: hierarchy.leaves_list(tree(nan, 1)), "joins two clusters"),
    (lambda: hierarchy.cophenet(tree(nan)), "joins two clusters"),
    (lambda: hierarchy.optimal_leaf_ordering(tree(nan), np.ones(45)), "joins two clusters"),
    (lambda: hierarchy.optimal_leaf_ordering(hierarchy.linkage(np.arange(20.0).reshape(10, 2)), np.ones(3)), "each of its rows"),
    (lambda: hierarchy.from_mlab_linkage([[1, 1e9, 3.0], [3, 4, 5.0]]), "joins two clusters"),
    (lambda: hierarchy.fcluster(hierarchy.linkage(np.arange(20.0).reshape(10, 2)), 3, "monocrit", monocrit=np.zeros(1)), "each of"),
    (lambda: signal.sepfir2d(np.zeros((3, 3)), np.ones(99), np.ones(9)), "at most twice"),
    (lambda: spatial.cKDTree(where).query([[1, 1]], k=[0, -5]), "k must be"),
    (lambda: spatial.KDTree(where).query([[1, 1]], k=[-5]), "k must be"),
    (lambda: linalg.lu_solve((np.eye(3), [500, -500, 10**6]), np.zeros(3)), "rows that the matrix"),
    (lambda: lapack.dgetrs(np.eye(3), np.array([0, 1, 3]), np.zeros(3)), "rows that the matrix"),
    (lambda: lapack.zgetri(np.eye(3), piv=[0, -1, 2]), "rows that the matrix"),
    (lambda: lapack.dgesc2(np.eye(3), np.ones(3), [0, 1, 2], jpiv=[0, 1, 9]), "jpiv has"),
    (lambda: lapack.dlaswp(np.zeros((3, 3)), [0, 1, 2, 3]), "rows that the matrix"),
    (lambda: lapack.dlaswp(np.zeros((3, 3)), [0, 1, 2], inc=5), "rows that the matrix"),
    (lambda: lapack.dsytrs(np.eye(3), [1, -2, 3], np.ones(3)), "rows that the matrix"),
    (lambda: lapack.zhetrs(np.eye(3), [1, 2, 0], np.ones(3)), "rows that the matrix"),
    (lambda: lapack.dgttrs(np.zeros(2), np.ones(3), np.zeros(2), np.zeros(1), [3, 2, 3], np.ones(3)), "rows that the matrix"),
    (lambda: lapack.dstein(np.ones(3), np.ones(2), np.ones(3), [1, 1, 900], [3, 0, 0]), "rows that the matrix"),
)):
    try:
        call()
    except ValueError as error:
        assert reason in str(error), (number, reason, error)
    else:
        raise AssertionError((number, reason))
for order in range(30):
    assert np.isfinite(spline()(places, nu=order)).all()
    assert order < 4 or not spline()(places, nu=order).any()
    assert np.allclose(product()(where + 4, nu=[order + 1, 0]), 0)
print("refused")
"""

TOLD = """
import numpy as np
from scipy import interpolate, linalg, ndimage, signal, spatial
from scipy.linalg import lapack
from scipy.cluster import hierarchy
x = np.linspace(0, 1, 20)
y = np.sin(x)
assert np.allclose(interpolate.make_interp_spline(x, y, k=5)(x), y)
assert np.allclose(interpolate.make_interp_spline(x, y + 2j)(x), y + 2j)
assert np.isnan(interpolate.make_interp_spline(x, y)(2.0, nu=9, extrapolate=False))
assert np.allclose(interpolate.make_interp_spline(x, y).integrate(0, 1), 1 - np.cos(1))
for k in range(1, 6):
    tck = interpolate.splrep(x, y, k=k)
    assert np.allclose(interpolate.splev(x, tck), y) and np.allclose(interpolate.splev(x, interpolate.insert(0.5, tck)), y)
    assert np.allclose(interpolate.UnivariateSpline(x, y, k=k, s=0)(x), y)
assert np.allclose(interpolate.RectBivariateSpline(x, x, np.outer(y, y), kx=2, ky=4)(x, x), np.outer(y, y))
(knots, c, k), u = interpolate.splprep([x, y], s=0)
assert np.allclose(interpolate.splev(u, (knots, c, k))[1], y)
for values in (np.outer(y, y), np.outer(y, y) * 1j):
    found = interpolate.RegularGridInterpolator((x, x), values, bounds_error=False)
    assert np.allclose(found(np.array([[x[3], x[4]], [1, 1], [0, 0]])), [values[3, 4], values[-1, -1], 0])
    assert np.isnan(found([[2, 2]])).all() and np.isnan(found([[np.nan, 0]])).all()
    product = interpolate.NdBSpline((np.arange(10.0),) * 2, np.full((6, 6), values[3, 4]), 3)
    assert np.allclose(product([[4.5, 4.5]]), values[3, 4])
assert interpolate.RegularGridInterpolator((np.zeros(1), x), y[None])([[0, 1]])[0] == y[-1]
picture = np.arange(81.0).reshape(9, 9)
assert ndimage.shift(picture, (1, -2), order=1)[5, 5] == picture[4, 7] and ndimage.zoom(picture, 2).shape == (18, 18)
assert ndimage.affine_transform(picture, [1, 1], offset=[0, 1], order=0)[0, 0] == 1
points = np.random.default_rng(4).random((30, 2))
for method in ("single", "ward", "complete", "centroid"):
    tree = hierarchy.linkage(points, method)
    assert len({*hierarchy.fcluster(tree, 4, "maxclust")}) == 4 and sorted(hierarchy.leaves_list(tree)) == list(range(30))
    assert len(hierarchy.leaders(tree, hierarchy.fcluster(tree, 4, "maxclust"))[0]) == 4
    assert len(hierarchy.cophenet(tree)) == 435 and hierarchy.inconsistent(tree).shape == (29, 4)
    assert hierarchy.from_mlab_linkage(hierarchy.to_mlab_linkage(tree)).shape == tree.shape
    hierarchy.fcluster(tree, 0.7), hierarchy.maxRstat(tree, hierarchy.inconsistent(tree), 2), hierarchy.maxdists(tree)
    hierarchy.optimal_leaf_ordering(tree, points), hierarchy.dendrogram(tree, no_plot=True)
    hierarchy.fcluster(tree, 0.5, "monocrit", monocrit=hierarchy.maxdists(tree))
assert np.allclose(signal.sepfir2d(picture, np.array([0.0, 1.0, 0.0]), np.array([1.0])), picture)
for kind in (spatial.KDTree, spatial.cKDTree):
    near = kind(points)
    assert near.query(points)[1].tolist() == list(range(30)) and near.query(points[0], k=3)[1].shape == (3,)
    assert near.query(points, k=[2, 5], workers=1)[0].shape == (30, 2) and near.query(points[:2], 1)[1].shape == (2,)
square = np.random.default_rng(8).random((6, 6))
both, right = square + square.T, np.arange(6.0)
assert np.allclose(linalg.lu_solve(linalg.lu_factor(square), right), np.linalg.solve(square, right))
assert np.allclose(linalg.inv(square) @ square, np.eye(6)) and np.allclose(linalg.solve(both, right, assume_a="sym"), np.linalg.solve(both, right))
assert np.allclose(linalg.solve(both, right, assume_a="her"), np.linalg.solve(both, right))
factor, pivots, _ = lapack.dsytrf(both)
assert np.allclose(lapack.dsytrs(factor, pivots, right)[0], np.linalg.solve(both, right)) and lapack.dsycon(factor, pivots, 1.0)[0] > 0
three = np.diag(np.ones(6)) + np.diag(np.full(5, 4.0), 1) + np.diag(np.full(5, 3.0), -1)
parts = lapack.dgttrf(np.full(5, 3.0), np.ones(6), np.full(5, 4.0))
assert np.allclose(lapack.dgttrs(*parts[:5], right)[0], np.linalg.solve(three, right)), parts
assert np.allclose(linalg.eigh_tridiagonal(np.arange(4.0), np.ones(3), select="i", select_range=(0, 2))[0], np.linalg.eigvalsh(
    np.diag(np.arange(4.0)) + np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))[:3])
assert np.allclose(linalg.ldl(both)[0] @ linalg.ldl(both)[1] @ linalg.ldl(both)[0].T, both)
print("told")
"""

WINDOWS = """
import numpy as np
import pandas as pd
from pandas.api.indexers import BaseIndexer, FixedForwardWindowIndexer

column = pd.Series(np.arange(10.0))

class Far(BaseIndexer):
    def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
        return np.full(num_values, -500), np.full(num_values, 10**7)

class Changing(BaseIndexer):
    def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
        self.first, self.last = np.zeros(num_values, np.int64), np.arange(1, num_values + 1)
        return self.first, self.last

for name in "sum mean min max count median".split():
    found = getattr(column.rolling(Far(window_size=1)), name)()
    expected = getattr(column, name)()
    assert (found == expected).all(), (name, found)
assert np.isclose(column.rolling(Far(window_size=1)).cov(column), column.var()).all()
assert (column.rolling(Far(window_size=1)).rank() == 10).all()
told = Changing(window_size=1)
lengths = []
def measure(values):
    told.last[:] = 10**7
    lengths.append(len(values))
    return 0.0
column.rolling(told, min_periods=1).apply(measure, raw=True)
assert lengths == list(range(1, 11)), lengths
assert column.rolling(FixedForwardWindowIndexer(window_size=3), min_periods=1).sum().tolist() == [
    sum(range(each, min(each + 3, 10))) for each in range(10)
]
print("within")
"""

RADII = """
import numpy as np
import matplotlib.pyplot as plt
from matplotlib import image
from matplotlib.transforms import Affine2D

def drawn(radius):
    axes = plt.figure().add_subplot()
    axes.imshow(np.eye(9), interpolation="sinc", filterrad=radius)
    axes.figure.canvas.draw()

def resampled(*rest, **options):
    image.resample(np.eye(9), np.zeros((20, 20)), Affine2D().scale(2), image.LANCZOS, *rest, **options)

nan = float("nan")
for number, call in enumerate((
    lambda: drawn(1e9), lambda: drawn(2e7), lambda: drawn(nan), lambda: drawn(float("inf")),
    lambda: resampled(radius=1e9), lambda: resampled(radius=nan), lambda: resampled(True, 1, False, 1e9),
)):
    try:
        call()
    except ValueError as error:
        assert "radius of a filter" in str(error), (number, error)
    else:
        raise AssertionError(number)
drawn(4); drawn(12.5); resampled(); resampled(radius=3); resampled(True, 1, False, 5.0)
plt.close("all")
print("drawn")
"""


class NativeNumbers(unittest.TestCase):
    def setUp(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        self.run_script = lambda code: host.run(code, imports=policy.imports("workflow-step"))

    def test_numbers_that_native_code_cannot_work_with_are_refused(self) -> None:
        run = self.run_script(REFUSED)
        self.assertEqual((run.stdout, run.error), ("refused\n", ""), run.stderr)

    def test_others_are_told(self) -> None:
        run = self.run_script(TOLD)
        self.assertEqual((run.stdout, run.error), ("told\n", ""), run.stderr)

    def test_windows_are_within_the_column(self) -> None:
        run = self.run_script(WINDOWS)
        self.assertEqual((run.stdout, run.error), ("within\n", ""), run.stderr)

    def test_a_filter_reaches_as_far_as_there_is_room_for(self) -> None:
        run = self.run_script(RADII)
        self.assertEqual((run.stdout, run.error), ("drawn\n", ""), run.stderr)
