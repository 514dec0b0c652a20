"""How much native functions for sparse matrices write, where only the places themselves tell.

Each function gets the exact arguments, and what has been found of them, and says how many
there will be; -1 where some reach outside.
"""

from __future__ import annotations

from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    type Found = dict[str, int]
    type Tell = Callable[[list[Any], Found], int]

__all__ = ["lengths"]

_NARROW: Final = 2**31
"""Where places of four bytes end: native code multiplies in their type."""
_WIDE: Final = 8


def lengths(arrays: Any, count_product: Any, count_blocks: Any) -> dict[str, Tell]:
    """Return the functions by name. Two of scipy's own count, which have been given what was looked at."""
    return {
        "diagonal": lambda exact, found: _diagonal(exact[0], found["M"], found["m"]),
        "other_diagonal": lambda exact, found: _diagonal(exact[0], found["m"], found["M"]),
        "block_diagonal": _block_diagonal,
        "block": _block,
        "blocks": lambda exact, found: _blocks(count_blocks, exact, found),
        "product": lambda exact, found: _product(count_product, found, *exact[2:4], *exact[5:7]),
        "product_by_columns": lambda exact, found: _product(count_product, found, *exact[5:7], *exact[2:4]),
        "block_product": lambda exact, found: _block_product(count_product, exact, found),
        "rows": lambda exact, found: _rows(arrays, exact[1][: found["s"]], exact[2]),
        "row_slice": lambda exact, _: _row_slice(arrays, *exact[:4]),
        "columns": lambda exact, found: _columns(arrays, exact, found),
        "beside": lambda exact, found: _beside(arrays, exact, found),
        "place": lambda exact, found: _place(arrays, exact[0], exact[3], found["z"], found["d"]),
        "vector_place": lambda exact, found: _vector_place(arrays, exact, found),
        "matrix_places": lambda exact, found: _matrix_places(arrays, exact, found),
        "coordinates": lambda exact, found: _coordinates(arrays, exact, found),
        "triangles": _triangles,
    }


def _diagonal(offset: int, rows: int, columns: int) -> int:
    count = min(rows + min(offset, 0), columns - max(offset, 0))
    return count if count > 0 else -1


def _block(exact: list[Any], found: Found) -> int:
    """Tell whether the sizes of blocks can be multiplied in the places' type."""
    height, width, starts = found["R"], found["C"], next(each for each in exact if hasattr(each, "dtype"))
    most = max(height * width * max(found["z"], 1), found["M"] * height, found["m"] * width)
    return 0 if most < _NARROW or starts.dtype.itemsize >= _WIDE else -1


def _block_diagonal(exact: list[Any], found: Found) -> int:
    count = _diagonal(exact[0], found["M"] * found["R"], found["m"] * found["C"])
    return _block(exact, found) or count


def _blocks(count: Any, exact: list[Any], found: Found) -> int:
    found["h"] = found["M"] // found["R"]
    return _block(exact, found) or int(count(*exact[:6]))


def _product(count: Any, found: Found, starts: Any, places: Any, other_starts: Any, other_places: Any) -> int:
    """Count what a product has. Of matrices by columns, the second comes first."""
    return int(count(found["M"], found["n"], starts, places, other_starts, other_places))


def _block_product(count: Any, exact: list[Any], found: Found) -> int:
    height, width, inner = (found[each] for each in "RCN")
    sizes = {**found, "R": max(height, inner), "C": max(width, inner), "z": max(found["z"], found["y"]), "m": found["n"]}
    if _block(exact, sizes):
        return -1
    starts, places, _, others, other_places = exact[6:11]
    return max(found["l"], _product(count, found, starts, places, others, other_places))


def _rows(arrays: Any, rows: Any, starts: Any) -> int:
    if not arrays.are_below(rows, arrays.size(starts) - 1):
        return -1
    return int(arrays.sum(arrays.take(starts[1:] - starts[:-1], rows), dtype="i8"))


def _row_slice(arrays: Any, start: int, stop: int, step: int, starts: Any) -> int:
    if not step:
        return -1
    rows = range(start, stop, step)
    if not rows:
        return 0
    least, most = min(rows[0], rows[-1]), max(rows[0], rows[-1])
    if least < 0 or most >= arrays.size(starts) - 1 or most + abs(step) >= _NARROW:
        return -1
    return int(arrays.sum((starts[1:] - starts[:-1])[least : most + 1 : abs(step)], dtype="i8"))


def _columns(arrays: Any, exact: list[Any], found: Found) -> int:
    """Count how often columns are taken: each as often as it has places of its own in their order."""
    order, ends, _, places = exact[:4]
    places = places[: found["z"]]
    if not arrays.are_below(places, arrays.size(ends)) or not arrays.are_below(ends, arrays.size(order) + 1):
        return -1
    counts = ends.copy()
    counts[1:] -= ends[:-1]
    return -1 if (counts < 0).any() else int(arrays.sum(arrays.take(counts, places), dtype="i8"))


def _beside(arrays: Any, exact: list[Any], found: Found) -> int:
    """Count what matrices side by side have, which come one behind the other."""
    rows, starts, places, values, count = found["r"], exact[3], exact[4], exact[5], 0
    for at in range(found["b"]):
        each = starts[at * (rows + 1) : (at + 1) * (rows + 1)]
        if arrays.size(each) != rows + 1 or not arrays.begin(each):
            return -1
        count += int(each[-1])
    return count if count <= min(arrays.size(places), arrays.size(values)) else -1


def _place(arrays: Any, strides: Any, coordinates: Any, count: int, depth: int) -> int:
    """Return how many places there are up to the last one that coordinates tell."""
    last = 0
    if not count:
        return 0
    if arrays.size(strides) < depth:
        return -1
    for at in range(depth):
        stride = int(strides[at])
        if stride < 0:
            return -1
        last += stride * arrays.most(coordinates[at * count : (at + 1) * count])
    return last + 1 if last < _NARROW or strides.dtype.itemsize >= _WIDE else -1


def _vector_place(arrays: Any, exact: list[Any], found: Found) -> int:
    count, depth, strides, coordinates, _, vector = exact[:6]
    last = coordinates[(depth - 1) * count : depth * count]
    if not arrays.are_below(last, arrays.size(vector)):
        return -1
    return _place(arrays, strides, coordinates, found["z"], depth - 1)


def _matrix_places(arrays: Any, exact: list[Any], found: Found) -> int:
    """Tell whether coordinates are inside: of the result's shape all but the last, and that one of the rows of the other."""
    count, depth, width = found["z"], found["d"], found["k"]
    other, shape = ([int(each) for each in sizes[:depth]] for sizes in exact[3:5])
    if depth < 2 or min(*other, *shape) < 0 or other[:-2] != shape[:-2] or (other[-1], shape[-1]) != (width, width):
        return -1
    if prod(other) > arrays.size(exact[7]) or prod(shape) > arrays.size(exact[8]) or max(prod(other), prod(shape)) >= _NARROW:
        return -1
    limits = [*shape[:-1], other[-2]]
    parts = [exact[5][at * count : (at + 1) * count] for at in range(depth)]
    return 0 if all(arrays.are_below(part, limit) for part, limit in zip(parts, limits, strict=True)) else -1


def _coordinates(arrays: Any, exact: list[Any], found: Found) -> int:
    """Tell whether rows are in the result, and columns in the vectors."""
    count, width = found["z"], found.get("k", 1)
    rows, columns, _, vectors, result = exact[-5:]
    if not width:
        return 0
    inside = arrays.are_below(rows[:count], arrays.size(result) // width)
    return 0 if inside and arrays.are_below(columns[:count], arrays.size(vectors) // width) else -1


def _triangles(exact: list[Any], _: Found) -> int:
    """Tell whether each column of the lower triangle has what is on the diagonal."""
    starts = exact[5]
    return 0 if (starts[1:] > starts[:-1]).all() else -1
