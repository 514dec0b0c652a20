"""Keeps native code of triangulations inside their arrays.

A triangulation's corners and neighbours are arrays that anybody changes in place or sets,
and native code goes from one to the next without a look. So it gets a triangulation of
its own: copies, which have been looked at, and which are kept as long as the script's
are the same.
"""

from __future__ import annotations

import operator
import weakref

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import replace_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["keep_interpolators", "keep_regions", "keep_triangulations"]

_METHODS: Final = "find_simplex plane_distance lift_points".split()
_PROPERTIES: Final = "transform vertex_to_simplex vertex_neighbor_vertices convex_hull".split()
_CHANGED: Final = "the corners or neighbours of a triangulation are not those of its points: they were changed; make it again"

_MADE: Final[list[_Triangulations]] = []
"""The one of the process: scipy has one class of triangulations."""


class _Triangulations:
    """Makes triangulations that nobody else has."""

    def __init__(self, kind: Any) -> None:
        import numpy  # which scipy has loaded

        self._kind, self._numpy = kind, numpy
        self._own: Any = weakref.WeakSet()
        self._known: Any = weakref.WeakKeyDictionary()

    def own(self, given: Any) -> Any:
        """Return the guard's own triangulation for a script's."""
        if type(given) is self._kind and given in self._own:
            return given
        state = self._looked_at(given)
        known = self._known.get(given) if type(given) is self._kind else None
        if known is not None and self._is_same(vars(known), state):
            return known
        made = self._make(state)
        self._own.add(made)
        if type(given) is self._kind:
            self._known[given] = made
        return made

    def copy(self, given: Any) -> Any:
        """Return a copy of a triangulation, which has been looked at; anything else as it is."""
        return self._make(self._looked_at(given)) if isinstance(given, self._kind) else given

    def _make(self, state: dict[str, Any]) -> Any:
        made = object.__new__(self._kind)
        vars(made).update(state)
        return made

    def _looked_at(self, given: Any) -> dict[str, Any]:
        points, bounds = self._array(given.points, "f8", 2), (given.min_bound, given.max_bound)
        simplices, neighbors = self._array(given.simplices, "i4", 2), self._array(given.neighbors, "i4", 2)
        equations = self._array(given.equations, "f8", 2)
        least, most = (self._array(each, "f8", 1) for each in bounds)
        (count, depth), size = points.shape, simplices.shape[0]
        shapes = ((simplices, (size, depth + 1)), (neighbors, (size, depth + 1)), (equations, (size, depth + 2)))
        if any(each.shape != shape for each, shape in (*shapes, (least, (depth,)), (most, (depth,)))):
            raise ValueError(_CHANGED)
        if size and not (0 <= simplices.min() and simplices.max() < count and neighbors.min() >= -1 and neighbors.max() < size):
            raise ValueError(_CHANGED)
        return {
            "_points": points,
            "simplices": simplices,
            "neighbors": neighbors,
            "equations": equations,
            "min_bound": least,
            "max_bound": most,
            "ndim": depth,
            "npoints": count,
            "nsimplex": size,
            "paraboloid_scale": float(given.paraboloid_scale),
            "paraboloid_shift": float(given.paraboloid_shift),
            "furthest_site": bool(given.furthest_site),
            "coplanar": self._array(given.coplanar, "i4", 2),
            "_transform": None,
            "_vertex_to_simplex": None,
            "_vertex_neighbor_vertices": None,
        }

    def _array(self, given: Any, dtype: str, depth: int) -> Any:
        made = self._numpy.array(given, dtype=dtype, order="C")
        if made.ndim != depth:
            raise ValueError(_CHANGED)
        return made

    def _is_same(self, known: dict[str, Any], state: dict[str, Any]) -> bool:
        pairs = [(known[name], each) for name, each in state.items() if not name.startswith("_") or name == "_points"]
        return all(self._numpy.array_equal(*pair, equal_nan=not isinstance(pair[0], bool)) for pair in pairs)


def keep_triangulations(module: Any) -> None:
    """Let native code have triangulations of its own."""
    kind = module.Delaunay
    made = _Triangulations(kind)
    _MADE[:] = [made]
    for name in _METHODS:
        setattr(kind, name, _method(vars(kind)[name], made))
    for name in _PROPERTIES:
        held = vars(kind)[name]
        setattr(kind, name, property(_getter(held.fget, made, name), doc=held.__doc__))


def _method(original: Any, made: _Triangulations) -> Callable[..., Any]:
    @instead_of(original)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return original(made.own(self), *args, **options)

    return method


def _getter(original: Any, made: _Triangulations, name: str) -> Callable[[Any], Any]:
    def get(self: Any) -> Any:
        own = made.own(self)
        found = original(own)
        if own is self:
            return found
        shown = tuple(each.copy() for each in found) if isinstance(found, tuple) else found.copy()
        vars(self)[f"_{name}"] = shown  # native code keeps no more than its address
        return shown

    return get


def keep_interpolators(module: Any) -> None:
    """Let interpolators read values for each point of triangulations that are so."""
    original = module.estimate_gradients_2d_global

    @instead_of(original)
    def estimate_gradients_2d_global(tri: Any, *args: Any, **options: Any) -> Any:
        return original(_MADE[0].own(tri), *args, **options)

    replace_held({id(original): estimate_gradients_2d_global}, "scipy.interpolate")
    smooth = module.CloughTocher2DInterpolator
    smooth.__init__ = _beginning(smooth.__init__)
    for kind in (module.LinearNDInterpolator, module.CloughTocher2DInterpolator):
        for name in ("_evaluate_double", "_evaluate_complex"):
            setattr(kind, name, _evaluating(vars(kind)[name], kind))


def _beginning(original: Any) -> Callable[..., None]:
    """Return what estimates gradients over a triangulation that was looked at: a copy, which the interpolator has then."""

    @instead_of(original)
    def begin(self: Any, points: Any, *args: Any, **options: Any) -> None:
        original(self, _MADE[0].copy(points), *args, **options)

    return begin


def _evaluating(original: Any, kind: Any) -> Callable[[Any, Any], Any]:
    @instead_of(original)
    def evaluate(self: Any, xi: Any) -> Any:
        import numpy  # which scipy has loaded

        tri, values, places = _MADE[0].own(self.tri), numpy.array(self.values), numpy.asarray(xi)
        state = {"tri": tri, "values": values, "points": tri.points, "fill_value": self.fill_value, "is_complex": self.is_complex}
        fits = values.ndim == 2 and values.shape[0] == tri.npoints and places.ndim == 2 and places.shape[1] == tri.ndim
        if fits and hasattr(self, "grad"):
            state["grad"] = numpy.array(self.grad)
            fits = tri.ndim == 2 and state["grad"].shape == (*values.shape, 2)
        if not fits:
            raise ValueError("an interpolator has a value for each of its points, and is asked for places of as many dimensions")
        own = object.__new__(kind)
        vars(own).update(state)
        return original(own, places)

    return evaluate


def keep_regions(module: Any) -> None:
    """Let the regions of a sphere be sorted whose corners there are."""
    import numpy  # which scipy has loaded

    original = module.sort_vertices_of_regions

    @instead_of(original)
    def sort_vertices_of_regions(simplices: Any, regions: Any) -> None:
        corners = numpy.array(simplices)
        found = [[operator.index(each) for each in region] for region in regions]
        if any(not 0 <= each < len(corners) for region in found for each in region):
            raise ValueError("a region has corners that there are not: it was changed; make the diagram again")
        original(corners, found)
        for region, each in zip(regions, found, strict=True):
            region[:] = each

    module.sort_vertices_of_regions = sort_vertices_of_regions
