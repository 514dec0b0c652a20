"""Hands native code that takes a whole sparse matrix one that is what it says, and that nobody else has.

Functions of graphs and scikit-learn's estimators look at a matrix's format and shape, and
their native code goes where its indices say. So they get a matrix of scipy's own class,
over copies of the indices that are inside of it. Its values stay where they are: some are
changed in place.
"""

from __future__ import annotations

import operator
import sys

from hotcell_guard.granting._real import mro
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import replace_held
from hotcell_guard.libraries._sparse_indices import OUTSIDE, Arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["keep_counts", "keep_graphs", "keep_samples"]

_NATIVE: Final = ("cython_function_or_method", "fused_cython_function", "builtin_function_or_method", "function")
"""Classes, by name, of what a module may call a function."""
_NO_PREDECESSOR: Final = -9999
_WITH_PREDECESSORS: Final = "construct_dist_matrix"


def keep_graphs(module: Any) -> None:
    """Let functions of graphs take matrices that are inside themselves."""
    kinds = _Kinds()
    for name, function in list(vars(module).items()):
        if type(function).__name__ in _NATIVE and not name.startswith("_") and function.__module__ == module.__name__:
            change = _of_predecessors if name == _WITH_PREDECESSORS else _of_matrices
            replace_held({id(function): change(function, kinds)}, "scipy.sparse.csgraph")


def keep_counts(module: Any) -> None:
    """Let scikit-learn's native functions of sparse matrices do so."""
    kinds = _Kinds()
    for name, function in list(vars(module).items()):
        if type(function).__name__ in _NATIVE and not name.startswith("__"):
            replace_held({id(function): _of_matrices(function, kinds)}, "sklearn")


def keep_samples(module: Any) -> None:
    """Let estimators do so, where they look at what they are given."""
    module._ensure_sparse_format = _of_matrices(module._ensure_sparse_format, _Kinds())


def _of_matrices(original: Callable[..., Any], kinds: _Kinds) -> Callable[..., Any]:
    @instead_of(original)
    def function(*args: Any, **options: Any) -> Any:
        return original(*map(kinds.settled, args), **{name: kinds.settled(each) for name, each in options.items()})

    return function


def _of_predecessors(original: Callable[..., Any], _: _Kinds) -> Callable[..., Any]:
    @instead_of(original)
    def function(graph: Any, predecessors: Any, *args: Any, **options: Any) -> Any:
        import numpy  # which scipy has loaded

        own = numpy.array(predecessors, dtype="i4")
        inside = (own >= 0) & (own < own.shape[-1])
        if own.ndim != 2 or not (inside | (own == _NO_PREDECESSOR)).all():
            raise ValueError("predecessors are numbers of nodes, or -9999 where there is none")
        return original(graph, own, *args, **options)

    return function


class _Kinds:
    """Makes matrices of scipy's own classes."""

    def __init__(self) -> None:
        self._makers: dict[Any, Callable[[Any, Any], Any]] = {}

    def settled(self, given: Any) -> Any:
        """Return a matrix that is what it says, in place of one that may be not; anything else as it is."""
        sparse = sys.modules["scipy.sparse"]  # which all have loaded that take one

        if not sparse.issparse(given):
            return given
        if not self._makers:
            names = [(f"{format_}_{like}", make) for format_, make in _MAKERS.items() for like in ("array", "matrix")]
            self._makers.update({getattr(sparse, name): make for name, make in names})
        kind = next((each for each in mro(type(given)) if each in self._makers), None)
        if kind is None:
            raise TypeError("a sparse matrix is of one of scipy.sparse's classes")
        return self._makers[kind](kind, given)


def _arrays() -> Arrays:
    import numpy

    return Arrays(numpy)


def _shape(given: Any) -> tuple[int, ...]:
    return tuple(operator.index(each) for each in given.shape)


def _compressed(kind: Any, given: Any, swapped: bool = False) -> Any:
    arrays, shape = _arrays(), _shape(given)
    data, indices, indptr = arrays.exact(given.data), arrays.copy(given.indices), arrays.copy(given.indptr)
    rows, columns = (1, *shape)[-2:]
    height, width = data.shape[1:] if data.ndim > 1 else (1, 1)
    major, minor = (columns, rows) if swapped else (rows // height, columns // width)
    if not arrays.begin(indptr) or arrays.size(indptr) != major + 1:
        raise ValueError(OUTSIDE)
    count = int(indptr[-1])
    if count > min(arrays.size(indices), data.shape[0]) or not arrays.are_below(indices[:count], minor):
        raise ValueError(OUTSIDE)
    return kind((data[:count], indices[:count], indptr), shape=shape)


def _by_columns(kind: Any, given: Any) -> Any:
    return _compressed(kind, given, swapped=True)


def _coordinates(kind: Any, given: Any) -> Any:
    arrays, shape = _arrays(), _shape(given)
    data, coordinates = arrays.exact(given.data), tuple(map(arrays.copy, given.coords))
    pairs = list(zip(coordinates, shape, strict=False))
    inside = all(arrays.size(each) == arrays.size(data) and arrays.are_below(each, most) for each, most in pairs)
    if len(coordinates) != len(shape) or not inside:
        raise ValueError(OUTSIDE)
    return kind((data, coordinates), shape=shape)


def _diagonals(kind: Any, given: Any) -> Any:
    arrays = _arrays()
    return kind((arrays.exact(given.data), arrays.copy(given.offsets)), shape=_shape(given))


def _of_lists(kind: Any, given: Any) -> Any:
    """Return a matrix of lists or of keys by rows: Python makes it, and looks at each entry."""
    sparse = sys.modules["scipy.sparse"]
    made = kind.tocsr(given)
    if type(made) not in (sparse.csr_array, sparse.csr_matrix):
        raise TypeError("a sparse matrix of lists became something else by rows")
    return _compressed(type(made), made).asformat(kind._format)


_MAKERS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "csr": _compressed,
    "bsr": _compressed,
    "csc": _by_columns,
    "coo": _coordinates,
    "dia": _diagonals,
    "lil": _of_lists,
    "dok": _of_lists,
}
