"""matplotlib's native code is told sizes and places that there are, and goes on drawing what scripts draw."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, Host

MODULES = [*IMPORTS, "matplotlib.tri", "matplotlib.transforms", "matplotlib.path"]

BEGIN = """
import matplotlib.pyplot as plt
import matplotlib.tri as mtri
import numpy as np
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform, Transform

def refused(call, *words):
    try:
        call()
    except (ValueError, IndexError) as error:
        assert any(word in str(error) for word in words), error
        return
    raise AssertionError("not refused")
"""

TRIANGLES = f"""{BEGIN}
draws = np.random.default_rng(4)
x, y = draws.random(30), draws.random(30)
def made():
    return mtri.Triangulation(x, y)

first = made()
native = first.get_cpp_triangulation()
finder = first.get_trifinder()
before = finder(0.5, 0.5)
first.edges[:] = first.neighbors[:] = first.triangles[:] = 10**8
native.get_edges()[:] = native.get_neighbors()[:] = 10**8
assert first.get_trifinder()(0.5, 0.5) == before and native.get_edges().max() < 30
assert plt.tricontour(made(), x).levels.size

other = made()
other.x = other.y = np.zeros(1)
refused(other.get_cpp_triangulation, "places")
other = made()
kind = type(native)
none = ()
corners = np.array([[0, 1, 2]], np.int32)
refused(lambda: kind(x[:3], y[:3], np.array([[0, 1, 3]], np.int32), none, none, none, False), "places")
refused(lambda: kind(x[:3], y[:3], corners, none, np.array([[0, 9]], np.int32), none, False), "places")
refused(lambda: kind(x[:3], y[:3], corners, none, none, np.array([[1, 1, 1]], np.int32), False), "places")

turned = mtri.Triangulation([0, 1, 0], [0, 0, 1], [[0, 2, 1]])
turned.edges
assert turned.triangles.tolist() == [[0, 1, 2]] and turned.neighbors.tolist() == [[-1, -1, -1]]
turned.set_mask([True])
assert len(turned.edges) == 0
fine = made()
mtri.LinearTriInterpolator(fine, x)(0.5, 0.5)
mtri.UniformTriRefiner(fine).refine_field(x, subdiv=2)
plt.tripcolor(fine, x)
plt.savefig(OUTPUT / "x.png")
print("worked")
"""

PICTURES = f"""{BEGIN}
class Few(Transform):
    input_dims = output_dims = 2
    is_separable = False
    has_inverse = True
    rows = 1
    def transform_non_affine(self, values):
        return values[:1] if self.rows and len(values) > 50 else values
    def inverted(self):
        return self

class Many(Few):
    rows = 0

figure, axes = plt.subplots(figsize=(2, 2))
for transform in (Few(), Many()):
    picture = axes.imshow(np.ones((9, 9)), interpolation="nearest")
    picture.set_transform(transform + axes.transData)
    if transform.rows:
        refused(figure.canvas.draw, "a transform gave points")
        picture.remove()
    else:
        figure.canvas.draw()
for radius in (1e9, float("nan"), float("inf")):
    picture = axes.imshow(np.ones((9, 9)), interpolation="lanczos")
    picture.set_filterrad(radius)
    refused(figure.canvas.draw, "radius")
    picture.remove()
axes.imshow(np.arange(81.0).reshape(9, 9), interpolation="lanczos", filterrad=6)
axes.imshow(np.arange(81.0).reshape(9, 9), transform=Affine2D().rotate_deg(30) + axes.transData)
axes.set_xlim(0, 9)
figure.canvas.draw()
print("worked")
"""

REGIONS = f"""{BEGIN}
figure, axes = plt.subplots(figsize=(2, 1), dpi=50)
axes.pcolormesh(np.arange(12.0).reshape(3, 4))
axes.pcolormesh(np.ma.masked_less(np.arange(12.0).reshape(3, 4), 3), shading="gouraud")
figure.canvas.draw()
renderer = figure.canvas.get_renderer()
everything = np.asarray(figure.canvas.buffer_rgba()).copy()
for ends in ([[-1000, -1000], [1e6, 1e6]], [[-1e300, 0], [1e300, 5]], [[0, 0], [2**31, 2**31]], [[90, 40], [10, 10]]):
    region = figure.canvas.copy_from_bbox(Bbox(ends))
    left, low, right, high = region.get_extents()
    assert 0 <= left <= right <= 100 and 0 <= low <= high <= 50, region.get_extents()
    figure.canvas.restore_region(region)
assert (np.asarray(figure.canvas.buffer_rgba()) == everything).all()
refused(lambda: figure.canvas.copy_from_bbox(Bbox([[0, 0], [float("nan"), 5]])), "finite")
whole = figure.canvas.copy_from_bbox(figure.bbox)
assert whole.get_extents() == (0, 0, 100, 50)
axes.plot([0, 4], [0, 3])
figure.canvas.draw()
assert (np.asarray(figure.canvas.buffer_rgba()) != everything).any()
figure.canvas.restore_region(whole)
assert (np.asarray(figure.canvas.buffer_rgba()) == everything).all()

context, nothing = renderer.new_gc(), IdentityTransform()
renderer = figure.canvas.get_renderer()
rest = np.zeros((1, 2)), nothing, np.ones((1, 4)), True, np.zeros((0, 4))
corners = np.zeros((2, 2, 2))
renderer.draw_quad_mesh(context, nothing, 1, 1, corners, *rest)
for sizes in ((300, 300), (-1, -1), (0, 2), (2, 0)):
    refused(lambda: renderer.draw_quad_mesh(context, nothing, *sizes, corners, *rest), "a mesh of")
print("worked")
"""


class MatplotlibNatives(unittest.TestCase):
    def assert_works(self, code: str) -> None:
        host = Host()
        self.addCleanup(host.close)
        for preloaded in ([], [{"name": "early", "module": "matplotlib.pyplot"}]):
            run = host.run(code, imports=MODULES, preloaded=preloaded)
            self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))

    def test_a_triangulation_has_its_places(self) -> None:
        self.assert_works(TRIANGLES)

    def test_a_transform_gives_as_many_points(self) -> None:
        self.assert_works(PICTURES)

    def test_regions_are_parts_and_meshes_have_corners(self) -> None:
        self.assert_works(REGIONS)
