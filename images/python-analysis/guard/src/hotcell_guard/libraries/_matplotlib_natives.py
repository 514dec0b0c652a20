"""What matplotlib's native code is told: sizes of meshes and regions, places in a triangulation, a transform's answers.

It trusts that Python has looked at them. Python looks when an object is made; a script sets its attributes afterwards,
calls the renderer itself, and writes transforms of its own.
"""

from __future__ import annotations

import math
import operator

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import replace_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["changes"]

_MOST_RADIUS: Final = 1000
"""Of a filter, in pixels: native code makes a table of as many weights."""


def changes() -> Mapping[str, Callable[[Any], None]]:
    """Return the change to each module."""
    return {
        "matplotlib._tri": _keep_triangles,
        "matplotlib._image": _keep_pictures,
        "matplotlib.backends._backend_agg": _keep_regions,
    }


def _keep_triangles(module: Any) -> None:
    """Let a triangulation have arrays that nobody else has, with places in them that there are."""
    kind = module.Triangulation
    begin, set_mask = vars(kind)["__init__"], vars(kind)["set_mask"]

    def __init__(  # noqa: N807
        self: Any, x: Any, y: Any, triangles: Any, mask: Any, edges: Any, neighbors: Any, correct_triangle_orientations: Any
    ) -> None:
        import numpy  # which matplotlib has loaded

        points = numpy.array(x, float), numpy.array(y, float)
        count = min(each.size for each in points)
        corners = _places(triangles, 0, count)
        held = _places(edges, 0, count), _places(neighbors, -1, len(corners))
        begin(self, *points, corners, numpy.array(mask, bool), *held, bool(correct_triangle_orientations))
        if type(triangles) is numpy.ndarray and triangles.shape == corners.shape and triangles.flags.writeable:
            triangles[...] = corners  # each is turned to go round in one direction

    def masked(self: Any, mask: Any) -> None:
        import numpy  # which matplotlib has loaded

        set_mask(self, numpy.array(mask, bool))

    kind.__init__, kind.set_mask = __init__, masked
    for name in ("get_edges", "get_neighbors"):
        setattr(kind, name, _copier(vars(kind)[name]))


def _copier(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def copied(self: Any) -> Any:
        return get(self).copy()

    return copied


def _places(values: Any, least: int, end: int) -> Any:
    import numpy  # which matplotlib has loaded

    found = numpy.array(values, numpy.int32)
    if found.size and not (least <= found.min() and found.max() < end):
        raise ValueError(f"a triangulation's places are between {least} and {end - 1}")
    return found


def _keep_pictures(module: Any) -> None:
    """Let a picture be drawn with as many points as a transform was asked for, and a filter that has an end."""
    original = module.resample

    @instead_of(original)
    def resample(
        input_array: Any, output_array: Any, transform: Any, interpolation: Any = module.NEAREST, resample: Any = False,
        alpha: Any = 1, norm: Any = False, radius: Any = 1,
    ) -> None:  # fmt: skip
        size = float(radius)
        if not 0 < size <= _MOST_RADIUS:
            raise ValueError(f"the radius of a filter is above 0 and at most {_MOST_RADIUS}")
        asked = None if transform is None else _Transform(transform)
        original(input_array, output_array, asked, interpolation, resample, alpha, norm, size)

    module.resample = resample
    replace_held({id(original): resample}, "matplotlib")


class _Transform:
    """Stands for a transform, which says once what it is."""

    __slots__ = ("_matrix", "_of", "is_affine")

    def __init__(self, transform: Any) -> None:
        import numpy  # which matplotlib has loaded

        self._of = transform
        self.is_affine = bool(transform.is_affine)
        self._matrix = numpy.array(transform, float) if self.is_affine else None

    def __array__(self, *args: Any, **options: Any) -> Any:
        return self._matrix

    def inverted(self) -> _Transform:
        """Return what answers for the inverse."""
        return self

    def transform(self, points: Any) -> Any:
        """Return as many points as are asked for."""
        import numpy  # which matplotlib has loaded

        shape = points.shape
        found = numpy.array(self._of.inverted().transform(points), float)
        if found.shape != shape:
            raise ValueError(f"a transform gave points of the shape {found.shape} for {shape}")
        return found


def _keep_regions(module: Any) -> None:
    """Let a region be a part of the picture, and a mesh have its corners."""
    kind = module.RendererAgg
    copy, draw = vars(kind)["copy_from_bbox"], vars(kind)["draw_quad_mesh"]

    def copy_from_bbox(self: Any, bbox: Any) -> Any:
        import numpy  # which matplotlib has loaded

        height, width = numpy.asarray(memoryview(self)).shape[:2]
        ends = [float(each) for each in numpy.array(bbox, float).reshape(4)]
        if not all(map(math.isfinite, ends)):
            raise ValueError("a region has finite ends")
        across, up = (sorted(min(max(each, 0.0), most) for each in ends[at::2]) for at, most in ((0, width), (1, height)))
        return copy(self, numpy.array(list(zip(across, up, strict=True))))

    def draw_quad_mesh(
        self: Any, gc: Any, master_transform: Any, mesh_width: Any, mesh_height: Any, coordinates: Any, *rest: Any, **options: Any
    ) -> None:
        import numpy  # which matplotlib has loaded

        width, height, corners = operator.index(mesh_width), operator.index(mesh_height), numpy.array(coordinates, float)
        if min(width, height) < 0 or corners.shape != (height + 1, width + 1, 2):
            raise ValueError(f"a mesh of {width} by {height} has as many corners and one more, and not {corners.shape}")
        draw(self, gc, master_transform, width, height, corners, *rest, **options)

    kind.copy_from_bbox, kind.draw_quad_mesh = copy_from_bbox, draw_quad_mesh
