"""Triangulations are what they say where native code goes from one corner to the next."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, EarlyAndLate

NAMES = [*IMPORTS, "scipy.spatial", "scipy.interpolate"]
CHANGED = {
    "corners": "d.simplices[:] = 10**8; d.find_simplex(P)",
    "corners before": "d.simplices[:] = -10**8; d.transform",
    "neighbours": "d.neighbors[:] = 10**8; d.find_simplex(P)",
    "fewer corners": "d.simplices = d.simplices[:1]; d.find_simplex(P)",
    "fewer equations": "d.equations = d.equations[:1]; d.find_simplex(P)",
    "corners of vertices": "d.simplices[:] = 10**8; d.vertex_to_simplex",
    "neighbours of vertices": "d.simplices[:] = 10**8; d.vertex_neighbor_vertices",
    "a hull": "d.neighbors[:] = 10**8; d.convex_hull",
    "corners after a look": "d.find_simplex(P); d.simplices[:] = 10**8; d.find_simplex(P)",
    "corners by a search": "d.simplices[:] = 10**8; spatial.tsearch(d, P)",
    "corners of an heir": "class Heir(spatial.Delaunay):\n        pass\n    d = Heir(P); d.simplices[:] = 10**8; d.find_simplex(P)",
    "corners of an interpolator": "i = L(P, P[:, 0]); i.tri.simplices[:] = 10**8; i(P)",
    "corners of a smooth one": "i = C(P, P[:, 0]); i.tri.simplices[:] = 10**8; i(P)",
    "neighbours of a smooth one": "i = C(P, P[:, 0]); i.tri.neighbors[:] = 10**8; i(P)",
    "corners for a smooth one": "d.simplices[:] = 10**8; C(d, P[:, 0])(P)",
    "corners of a region": "s = spatial.SphericalVoronoi(Q); s.regions = [[10**8, 0, 1]] * 12; s.sort_vertices_of_regions()",
    "corners before a region's": "s = spatial.SphericalVoronoi(Q); s.regions[0][0] = -10**8; s.sort_vertices_of_regions()",
    "fewer values": "i = L(P, P[:, 0]); i.values = i.values[:1]; i(P)",
    "fewer gradients": "i = C(P, P[:, 0]); i.grad = i.grad[:1]; i(P)",
}
SCRIPT = """
import numpy as np
from scipy import spatial
from scipy.interpolate import LinearNDInterpolator as L, CloughTocher2DInterpolator as C

P = np.random.default_rng(0).random((40, 2))
Q = np.random.default_rng(1).normal(size=(12, 3)); Q /= np.linalg.norm(Q, axis=1)[:, None]

def attempt(label, act):
    try:
        act(spatial.Delaunay(P))
    except ValueError:
        return
    print(label)
"""
COUNTS = """
d = spatial.Delaunay(P); found = d.find_simplex(P).tolist()
d.nsimplex = 10**8; assert d.find_simplex(P).tolist() == found
d.transform[:] = 10**8; d.vertex_to_simplex[:] = 10**8; d.vertex_neighbor_vertices[1][:] = 10**8
assert d.find_simplex(P).tolist() == found and L(d, P[:, 0])(P).shape == (40,) and C(d, P[:, 0])(P).shape == (40,)
"""
WORKING = """
import numpy as np
from scipy import spatial
from scipy.interpolate import LinearNDInterpolator as L, CloughTocher2DInterpolator as C, griddata

P = np.random.default_rng(4).random((60, 2)); v = P[:, 0] + 2 * P[:, 1]
t = spatial.Delaunay(P)
middle = P[t.simplices].mean(axis=1)
assert t.find_simplex(middle).tolist() == list(range(len(middle))) and t.find_simplex([[9, 9]])[0] == -1
assert t.find_simplex(middle).tolist() == list(range(len(middle))) and t.transform.shape == (len(middle), 3, 2)
assert t.vertex_to_simplex.shape == (60,) and t.vertex_neighbor_vertices[0].shape == (61,)
assert set(np.unique(t.convex_hull)) == set(spatial.ConvexHull(P).vertices) and spatial.tsearch(t, middle)[2] == 2
assert t.plane_distance(np.array([[.5, .5]])).shape == (1, len(middle)) and t.lift_points(P).shape == (60, 3)
assert np.allclose(L(P, v)(middle), middle @ [1, 2]) and np.allclose(C(P, v)(middle), middle @ [1, 2], atol=1e-3)
assert np.allclose(L(t, v * 1j)(middle), middle @ [1, 2] * 1j) and np.allclose(L(P, np.c_[v, v])(.5, .5), [1.5, 1.5])
assert np.allclose(griddata(P, v, (.5, .5), method="linear"), 1.5) and np.allclose(griddata(P, v, (.5, .5), method="cubic"), 1.5, atol=1e-3)
assert np.allclose(L(P, v, rescale=True)(middle), middle @ [1, 2]) and np.isnan(L(P, v)(9, 9)) and L(P, v, fill_value=3)(9, 9) == 3
three = spatial.Delaunay(np.random.default_rng(5).random((20, 3)))
assert three.find_simplex(three.points.mean(axis=0)[None])[0] >= 0
grown = spatial.Delaunay(P[:30], incremental=True); grown.find_simplex(P); grown.add_points(P[30:]); grown.close()
assert (grown.find_simplex(middle) >= 0).all() and grown.npoints == 60
assert spatial.Delaunay(P, furthest_site=True).find_simplex(middle).shape == (len(middle),)
ball = np.random.default_rng(1).normal(size=(12, 3)); ball /= np.linalg.norm(ball, axis=1)[:, None]
sphere = spatial.SphericalVoronoi(ball); sphere.sort_vertices_of_regions(); assert np.isclose(sphere.calculate_areas().sum(), 4 * np.pi)
print("worked")
"""


class Triangulations(EarlyAndLate):
    names = NAMES
    early = ("scipy.interpolate",)

    def test_what_was_changed_is_refused(self) -> None:
        functions = "".join(
            f"def act(d):\n    {text.replace('; ', chr(10) + '    ')}\nattempt({label!r}, act)\n" for label, text in CHANGED.items()
        )
        self.assert_prints("all\n", SCRIPT + functions + COUNTS + "print('all')")

    def test_whoever_works_with_them_goes_on(self) -> None:
        self.assert_prints("worked\n", WORKING)


if __name__ == "__main__":
    unittest.main()
