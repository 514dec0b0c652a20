import numpy as np
import matplotlib.pyplot as plt
from matplotlib.path import Path, get_path_collection_extents
from matplotlib.patches import PathPatch
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform

verts = [(0., 0.), (0.2, 1.), (1., 0.8), (0.8, 0.), (0, 0)]
codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.CLOSEPOLY]
p = Path(verts, codes, _interpolation_steps=1, closed=False, readonly=True)
compound = Path.make_compound_path(p, Path.unit_rectangle(), Path.arc(0, 90, is_wedge=True), Path.wedge(20, 50))
print(len(p), p.get_extents(), p.intersects_bbox(Bbox([[0, 0], [1, 1]])), p.contains_path(Path([(0.4, 0.2), (0.5, 0.2)])), compound.codes.size, p.to_polygons()[0].shape[1], p.should_simplify, p.simplify_threshold, p.has_nonfinite if hasattr(p, "has_nonfinite") else 0)
for seg, code in p.iter_segments(simplify=False): print(int(code), seg.round(2).tolist())
for b, c in p.iter_bezier(): print(type(b).__name__, b.degree, c)
print(p.transformed(Affine2D().scale(2)).vertices.max(), p.cleaned(remove_nans=True).codes[-1], p.interpolated(3).vertices.shape if False else Path([(0, 0), (1, 1)]).interpolated(4).vertices.tolist(), p.deepcopy().readonly, p.clip_to_bbox(Bbox([[0, 0], [.5, .5]])).vertices.shape[1])
print(Path.unit_regular_asterisk(5).vertices.shape, Path.unit_circle_righthalf().codes.size, Path.hatch("/").vertices.shape, Path.circle((1, 1), 2).get_extents().bounds, get_path_collection_extents(IdentityTransform(), [p], [], [], IdentityTransform()).bounds if False else "e")
nverts = 5 * 4
verts = np.zeros((nverts, 2)); c = np.full(nverts, Path.LINETO); c[0::5] = Path.MOVETO; c[4::5] = Path.CLOSEPOLY
verts[:, 0] = np.arange(nverts)
fig, ax = plt.subplots(); ax.add_patch(PathPatch(Path(verts, c), facecolor="green")); ax.autoscale_view(); fig.canvas.draw(); print(ax.get_xlim())
q = Path([[0, 0], [1, 1]]); q.vertices = np.array([[0, 0], [3, 3]]); q.codes = None; print(q, q.copy().vertices.tolist(), q.intersects_path(Path([[0, 3], [3, 0]]), filled=False), Path.NUM_VERTICES_FOR_CODE[Path.CURVE4], q._interpolation_steps)
