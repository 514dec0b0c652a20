"""What scipy's native code for splines, pictures and clusters is told.

It trusts that Python has looked at the numbers: how many coefficients there are, which degree, where in a picture,
which cluster a row of a tree joins. Python looks when an object is made; a script sets its attributes afterwards, and
NaN passes comparisons that were meant to refuse it. So they are looked at where native code gets them.
"""

from __future__ import annotations

import math
import operator

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import replace_held
from hotcell_guard.libraries._f2py import with_parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["changes", "keep_counts"]

_DEGREES: Final[Mapping[str, tuple[int, int]]] = {"k": (0, 5), "kx": (0, 5), "ky": (0, 5), "k1": (1, 6)}
"""Parameters of FITPACK that are degrees (or one more), and their limits: its work arrays have a length of their own."""
_MOST_PLACE: Final = float(1 << 31)
"""Of a place in a picture: native code makes it a whole number."""
_FUNCTIONS: Final = ("builtin_function_or_method", "cython_function_or_method")
"""Classes, by name, of native functions."""


def changes() -> Mapping[str, Callable[[Any], None]]:
    """Return the change to each module."""
    found: Mapping[str, Callable[[Any], None]] = {
        "scipy.interpolate._dfitpack": _keep_degrees,
        "scipy.interpolate._fitpack": _keep_insertion,
        "scipy.interpolate._dierckx": _keep_spline,
        "scipy.interpolate._bspl": _keep_product_splines,
        "scipy.interpolate._rgi_cython": _keep_grid,
        "scipy.ndimage._nd_image": _keep_places,
        "scipy.signal._spline": _keep_filters,
        "scipy.cluster._hierarchy": _keep_trees,
        "scipy.cluster._optimal_leaf_ordering": _keep_trees,
    }
    return {name: _everywhere(change) for name, change in found.items()}


def _everywhere(change: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a change whose functions also stand where modules that have been loaded hold a replaced one by its name."""

    def changed(module: Any) -> None:
        before = dict(vars(module))
        change(module)
        now = vars(module)
        replaced = {id(old): now[name] for name, old in before.items() if callable(old) and now.get(name, old) is not old}
        replace_held(replaced, "scipy")

    return changed


def _keep_degrees(module: Any) -> None:
    """Let FITPACK have degrees that it has room for."""
    for attribute, function, _, names in with_parameters(module, _DEGREES):
        setattr(module, attribute, _of_degrees(function, names))


def _of_degrees(original: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    def function(*args: Any, **options: Any) -> Any:
        told = [_degree(name, each) if name in _DEGREES else each for name, each in zip(names, args, strict=False)]
        options = {name: _degree(name, each) if name in _DEGREES else each for name, each in options.items()}
        return original(*told, *args[len(told) :], **options)

    return function


def _degree(name: str, value: Any) -> int:
    number, (least, most) = operator.index(value), _DEGREES[name]
    if not least <= number <= most:
        raise ValueError(f"the degree of a spline is between 0 and {most - least}")
    return number


def _keep_insertion(module: Any) -> None:
    original = module._insert

    def _insert(periodic: Any, knots: Any, coefficients: Any, degree: Any, *rest: Any) -> Any:
        number = _degree("k", degree)
        knots, coefficients = _numbers(knots), _numbers(coefficients)
        _check_spline(len(knots), len(coefficients), number)
        return original(periodic, knots, coefficients, number, *rest)

    module._insert = _insert


def _numbers(values: Any) -> Any:
    import numpy  # which scipy has loaded

    return numpy.array(values, float, ndmin=1)


def _check_spline(knots: int, coefficients: int, degree: int) -> None:
    if degree < 0 or knots < 2 * degree + 2 or coefficients < knots - degree - 1:
        raise ValueError(f"a spline of degree {degree} has {2 * degree + 2} knots at least, and coefficients for all of them")


def _keep_spline(module: Any) -> None:
    """Let a spline have its coefficients, whatever its attributes are now. A derivative above the degree is zero."""
    original = module.evaluate_spline

    def evaluate_spline(t: Any, c: Any, k: Any, xp: Any, nu: Any, extrapolate: Any, out: Any) -> Any:
        degree, order = operator.index(k), operator.index(nu)
        _check_spline(t.shape[0], c.shape[0], degree)
        if order <= degree:
            return original(t, c, degree, xp, order, extrapolate, out)
        answer = original(t, c, degree, xp, 0, extrapolate, out)
        out *= 0  # what is outside is NaN, and stays it
        return answer

    module.evaluate_spline = evaluate_spline


def _keep_product_splines(module: Any) -> None:
    original = module.evaluate_ndbspline

    def evaluate_ndbspline(
        xi: Any, t: Any, len_t: Any, k: Any, nu: Any, extrapolate: Any, c: Any, last: Any, strides: Any, *rest: Any
    ) -> Any:
        furthest = sum((int(n) - int(d) - 2) * int(stride) for n, d, stride in zip(len_t, k, strides, strict=False))
        if (strides < 0).any() or furthest + int(last) > c.size:
            raise ValueError("a spline has coefficients for all of its knots")
        if (nu <= k).all():
            return original(xi, t, len_t, k, nu, extrapolate, c, last, strides, *rest)
        answer = original(xi, t, len_t, k, nu * 0, extrapolate, c, last, strides, *rest)
        rest[-1][...] *= 0
        return answer

    module.evaluate_ndbspline = evaluate_ndbspline


def _keep_grid(module: Any) -> None:
    """Let a grid of two dimensions have a value at each of its points."""
    original = module.evaluate_linear_2d

    def evaluate_linear_2d(values: Any, indices: Any, *rest: Any) -> Any:
        for size, places in zip(values.shape, indices, strict=True):
            if places.size and not (-1 <= places.min() and places.max() <= max(size - 2, 0)):
                raise ValueError("the values of a grid are as many as its points")
        return original(values, indices, *rest)

    module.evaluate_linear_2d = evaluate_linear_2d


def _keep_places(module: Any) -> None:
    """Let a picture be stretched and moved by numbers that are places in it, or near it."""
    original = module.zoom_shift

    def zoom_shift(picture: Any, zoom: Any, shift: Any, *rest: Any) -> Any:
        return original(picture, _places(zoom), _places(shift), *rest)

    module.zoom_shift = zoom_shift


def _places(told: Any) -> Any:
    if told is None:
        return None
    numbers = _numbers(told)
    if not (abs(numbers) <= _MOST_PLACE).all():
        raise ValueError(f"numbers between -{_MOST_PLACE:.0f} and {_MOST_PLACE:.0f} are expected")
    return numbers


def _keep_filters(module: Any) -> None:
    """Let a picture be as large as the half of a filter that goes over its edges, which mirror once."""
    original = module.sepfir2d

    def sepfir2d(picture: Any, rows: Any, columns: Any) -> Any:
        import numpy  # which scipy has loaded

        own, across, along = numpy.array(picture), numpy.array(rows), numpy.array(columns)
        if own.ndim != 2 or across.size // 2 >= own.shape[1] or along.size // 2 >= own.shape[0]:
            raise ValueError("a filter is at most twice as long as the picture")
        return original(own, across, along)

    module.sepfir2d = sepfir2d


def keep_counts(natives: Natives) -> Callable[[Any], None]:
    """Return what lets a tree be asked for first neighbours, and later ones."""

    def keep(module: Any) -> None:
        original = vars(module.cKDTree)["query"]

        @instead_of(original)
        def query(
            self: Any, x: Any, k: Any = 1, eps: Any = 0.0, p: Any = 2.0, distance_upper_bound: Any = math.inf, workers: Any = None
        ) -> Any:
            import numpy  # which scipy has loaded

            counts = numpy.array(k)
            if counts.dtype.kind not in "iu" or counts.size and counts.min() < 1:
                raise ValueError("k must be an integer greater than or equal to 1, or a sequence of them")
            return original(self, x, counts[()] if counts.ndim == 0 else counts, eps, p, distance_upper_bound, workers)

        natives.put(module.cKDTree, query=query)

    return keep


def _keep_trees(module: Any) -> None:
    """Let each row of a tree of clusters join two that there are, and what is told of the rows be as long as the tree."""
    for name, value in list(vars(module).items()):
        if type(value).__name__ in _FUNCTIONS and not name.startswith("_"):
            setattr(module, name, _of_tree(value, _LENGTHS.get(name, _as_rows)))


def _of_tree(original: Callable[..., Any], least: Callable[[int], int]) -> Callable[..., Any]:
    import numpy  # which scipy has loaded

    def function(tree: Any, *rest: Any) -> Any:
        if type(tree) is not numpy.ndarray or tree.ndim != 2:
            return original(tree, *rest)  # distances
        own = tree.copy()
        rows = len(own)
        limits = numpy.arange(rows) + rows + 1
        for column in (own[:, 0], own[:, 1]):
            if not ((column >= 0) & (column < limits)).all():
                raise ValueError("a row of a linkage matrix joins two clusters that there are")
        if any(issubclass(type(each), numpy.ndarray) and len(each) < least(rows) for each in rest):
            raise ValueError("what belongs to a linkage matrix has a number for each of its rows")
        return original(own, *rest)

    return function


def _as_rows(rows: int) -> int:
    return rows


_LENGTHS: Final[Mapping[str, Callable[[int], int]]] = {
    "leaders": lambda rows: min(rows, 1),
    "optimal_leaf_ordering": lambda rows: rows * (rows + 1) // 2,
}
"""How long what belongs to a tree of so many rows is, where that is not one for each row."""
