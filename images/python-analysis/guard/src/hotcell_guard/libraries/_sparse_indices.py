"""Keeps scipy's native code for sparse matrices inside the arrays that it is given.

A matrix has three arrays that anybody changes in place or sets: where each row begins,
the columns and the values. They are looked at, in part, when it is made, and never again:
its products, sums and conversions read and write where they say. All of scipy.sparse's
native functions are in one module, and those of SuperLU in another. They look now, at each
call: it costs a part of what the call itself does with the same arrays.
"""

from __future__ import annotations

import operator
import sys
from types import BuiltinFunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["keep_products", "keep_solvers"]

_OUTSIDE: Final = "the index arrays of a sparse matrix reach outside of it: they or its data were changed; make the matrix again"

_COMPARED: Final = "eldiv elmul ge gt le lt maximum minimum minus ne plus".split()
"""Functions of two matrices of the same shape."""

_LAYOUTS: Final[dict[str, str]] = {
    **dict.fromkeys(
        "csr_tocsc csr_todense csr_matvec csr_eliminate_zeros csr_sum_duplicates csr_scale_rows csr_scale_columns "
        "csr_sample_values get_csr_submatrix".split(),
        "MmPJX",
    ),
    **dict.fromkeys("csc_tocsr csc_matvec".split(), "mMPJX"),
    **dict.fromkeys("bsr_matvec bsr_scale_rows bsr_scale_columns bsr_sort_indices bsr_transpose bsr_tocsr".split(), "MmRCPJX"),
    **{f"csr_{each}_csr": "MmPJXpjx" for each in _COMPARED},
    **{f"csc_{each}_csc": "mMPJXpjx" for each in _COMPARED},
    **{f"bsr_{each}_bsr": "MmRCPJXpjx" for each in _COMPARED},
    "csr_matvecs": "Mm.PJX",
    "csc_matvecs": "mM.PJX",
    "bsr_matvecs": "Mm.RCPJX",
    "csr_diagonal": ".MmPJX",
    "csc_diagonal": ".mMPJX",
    "bsr_diagonal": ".MmRCPJX",
    "csr_has_canonical_format": "MPJ",
    "csr_has_sorted_indices": "MPJ",
    "csr_sort_indices": "MPJX",
    "csr_sample_offsets": "MmPJ",
    "csr_count_blocks": "Mm..PJ",
    "csr_tobsr": "Mm..PJX",
    "csr_row_index": "..PJX",
    "csr_row_slice": "...PJX",
    "csr_column_index1": "..MmPJ",
    "csr_matmat": "MnPJXpjx",
    "csr_matmat_maxnnz": "MnPJpj",
    "csc_matmat": "nMpjxPJX",
    "csc_matmat_maxnnz": "nMpjPJ",
    "bsr_matmat": ".MnRCNPJXpjx",
    "expandptr": "MPJ",
    "cs_graph_components": "MPJ",
    "coo_tocsr": "rczijX",
    "coo_todense": "rczijX",
    "coo_matvec": "zijXco",
    "coo_matmat_dense": "zkijXco",
}
"""What the arguments are.

M and m are the numbers of rows and of columns (of what the format has for them), R and C those of a block's; P, J and X
where each row begins, the columns and the values. p, j and x are those of a second matrix: of the same shape, or with n
columns (blocks of N) as many rows as the first has columns. z, i, j, X: as many rows, columns and values; r and c, or
the size of c and o for each of k vectors, how many there are of each.
"""


class _Arrays:
    """Reads arrays past what a subclass says of itself."""

    def __init__(self, numpy: Any) -> None:
        held = vars(numpy.ndarray)
        self._kind, self._make = numpy.ndarray, numpy.asarray
        self._view, self.size = held["view"], held["size"].__get__
        self._least, self._most, self._all = numpy.minimum.reduce, numpy.maximum.reduce, numpy.logical_and.reduce

    def exact(self, given: Any) -> Any:
        """Return an array of numpy's own class."""
        return self._view(given if isinstance(given, self._kind) else self._make(given), self._kind)

    def are_below(self, indices: Any, count: int, most: int | None) -> bool:
        """Tell whether there are so many indices, all of them places among most."""
        if not 0 <= count <= self.size(indices) or indices.ndim != 1 or indices.dtype.kind not in "iu":
            return False
        if not count or most is None:
            return True
        used = indices[:count]
        return bool(self._least(used) >= 0 and self._most(used) < most)

    def begin(self, starts: Any, rows: int) -> bool:
        """Tell whether that many rows begin one after the other."""
        if starts.ndim != 1 or self.size(starts) != rows + 1 or starts.dtype.kind not in "iu" or starts[0] < 0:
            return False
        return bool(self._all(starts[1:] >= starts[:-1]))


def keep_products(module: Any) -> None:
    """Let all of scipy.sparse's native functions look at index arrays first."""
    import numpy  # which scipy has loaded

    arrays = _Arrays(numpy)
    looking = {
        name: _looking(getattr(module, name), layout, _check_coordinates if "z" in layout else _check_matrices, arrays)
        for name, layout in _LAYOUTS.items()
    }
    for name, make in _OTHERS.items():
        looking[name] = make(getattr(module, name), arrays)
    originals = {getattr(module, name): function for name, function in looking.items()}
    for each in [each for name, each in sys.modules.items() if name.startswith("scipy.sparse")]:
        for name, value in list(vars(each).items()):  # those that have been loaded hold them by name
            if type(value) is BuiltinFunctionType and value in originals:
                setattr(each, name, originals[value])


def keep_solvers(module: Any) -> None:
    """Let SuperLU do so."""
    import numpy

    arrays = _Arrays(numpy)
    for name, layout in (("gssv", "M.XJP"), ("gstrf", "M.XJP"), ("gstrs", ".M.XJPm.xjp")):
        setattr(module, name, _looking(getattr(module, name), layout, _check_square, arrays))


def _looking(original: Any, layout: str, check: Callable[[_Arrays, dict[str, Any]], bool], arrays: _Arrays) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        found: dict[str, Any] = {}
        exact = list(args)
        for at, token in enumerate(layout):
            if token in "PJXpjxico" and not isinstance(exact[at], int):
                exact[at] = arrays.exact(exact[at])
            if token != ".":
                found[token] = exact[at]
        if not check(arrays, found):
            raise ValueError(_OUTSIDE)
        return original(*exact, **options)

    return call


def _check_matrices(arrays: _Arrays, found: Mapping[str, Any]) -> bool:
    major = operator.index(found["M"]) if "M" in found else arrays.size(found["P"]) - 1
    minor = found.get("m")
    inner = arrays.size(found["p"]) - 1 if "n" in found else minor
    height, width, depth = (operator.index(found.get(each, 1)) for each in "RCN")
    block = height * (depth if "N" in found else width)
    if not _is_inside(arrays, (found["P"], found["J"], found.get("X")), (major, inner), block):
        return False
    if "p" not in found:
        return True
    shape, block = ((inner, found["n"]), depth * width) if "n" in found else ((major, minor), block)
    return _is_inside(arrays, (found["p"], found["j"], found.get("x")), shape, block)


def _check_square(arrays: _Arrays, found: Mapping[str, Any]) -> bool:
    both = [("M", "P", "J", "X")] + [("m", "p", "j", "x")] * ("p" in found)
    return all(
        _is_inside(arrays, (found[starts], found[places], found[values]), (found[size], found[size]), 1)
        for size, starts, places, values in both
    )


def _check_coordinates(arrays: _Arrays, found: Mapping[str, Any]) -> bool:
    count, width = operator.index(found["z"]), operator.index(found.get("k", 1))
    if arrays.size(found["X"]) < count:
        return False
    rows, columns = found.get("r"), found.get("c")
    if rows is None:  # the vectors' sizes
        rows, columns = (arrays.size(found[each]) // max(width, 1) for each in "oc")
    return arrays.are_below(found["i"], count, rows) and arrays.are_below(found["j"], count, columns)


def _is_inside(arrays: _Arrays, matrix: tuple[Any, Any, Any], shape: tuple[Any, Any], block: int) -> bool:
    """Tell whether the rows begin one after the other, within the places, and these are within the shape."""
    (starts, places, values), (major, minor) = matrix, shape
    if not arrays.begin(starts, operator.index(major)):
        return False
    count = int(starts[-1])
    return arrays.are_below(places, count, minor) and (values is None or arrays.size(values) >= count * block)


def _column_index(original: Any, arrays: _Arrays) -> Callable[..., Any]:
    def csr_column_index2(order: Any, offsets: Any, count: Any, places: Any, values: Any, *out: Any) -> Any:
        places, values = arrays.exact(places), arrays.exact(values)
        if not arrays.are_below(places, count, arrays.size(offsets)) or arrays.size(values) < count:
            raise ValueError(_OUTSIDE)
        return original(order, offsets, count, places, values, *out)

    return csr_column_index2


def _hstack(original: Any, arrays: _Arrays) -> Callable[..., Any]:
    def csr_hstack(blocks: int, rows: int, widths: Any, starts: Any, places: Any, values: Any, *out: Any) -> Any:
        starts, places, values, left = arrays.exact(starts), arrays.exact(places), arrays.exact(values), 0
        for at in range(blocks):
            each = starts[at * (rows + 1) : (at + 1) * (rows + 1)]
            if not arrays.begin(each, rows):
                raise ValueError(_OUTSIDE)
            left += int(each[-1])
        if left > min(arrays.size(places), arrays.size(values)):
            raise ValueError(_OUTSIDE)
        return original(blocks, rows, widths, starts, places, values, *out)

    return csr_hstack


def _dia_matvec(original: Any, arrays: _Arrays) -> Callable[..., Any]:
    def dia_matvec(rows: int, columns: int, count: int, length: int, offsets: Any, diagonals: Any, *vectors: Any) -> Any:
        offsets, diagonals = arrays.exact(offsets), arrays.exact(diagonals)
        if not arrays.are_below(offsets, count, None) or arrays.size(diagonals) < count * length:
            raise ValueError(_OUTSIDE)
        return original(rows, columns, count, length, offsets, diagonals, *vectors)

    return dia_matvec


def _dense_nd(original: Any, arrays: _Arrays) -> Callable[..., Any]:
    def coo_todense_nd(strides: Any, count: int, depth: int, places: Any, values: Any, out: Any, fortran: Any) -> Any:
        places, values = arrays.exact(places), arrays.exact(values)
        last = 0
        for at in range(depth):
            each = places[at * count : (at + 1) * count]
            if not arrays.are_below(each, count, arrays.size(out)) or arrays.size(values) < count:
                raise ValueError(_OUTSIDE)
            last += int(strides[at]) * (int(each.max()) if count else 0)
        if last >= arrays.size(out) and count:
            raise ValueError(_OUTSIDE)
        return original(strides, count, depth, places, values, out, fortran)

    return coo_todense_nd


_OTHERS: Final[dict[str, Callable[[Any, _Arrays], Callable[..., Any]]]] = {
    "csr_column_index2": _column_index,
    "csr_hstack": _hstack,
    "dia_matvec": _dia_matvec,
    "coo_todense_nd": _dense_nd,
}
"""Functions with arguments of their own kind."""
