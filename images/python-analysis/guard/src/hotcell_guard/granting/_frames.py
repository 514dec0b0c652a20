"""DataFrames over prepared tables: numbers lie where the file has them, texts are made when they are used."""

from __future__ import annotations

import functools
import json

from hotcell_guard.granting import _waiting
from hotcell_guard.granting._prepared import PreparedFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from hotcell_guard.granting._prepared import Column, PreparedTable

__all__ = ["frame"]

_MOST_WAITING: Final = 64
"""Blocks of one table. pandas warns of a table that has a hundred of them."""

_ROWS: Final = 1 << 16
"""How many codes are looked up at a time."""

_OBJECTS: Final = frozenset(("dictionary", "text", "json", "boolean"))


def frame(table: PreparedTable) -> Any:
    """Make the DataFrame."""
    import pandas  # type: ignore[import-untyped]  # Debian ships it without stubs
    from pandas.core.internals.blocks import new_block_2d  # type: ignore[import-untyped]
    from pandas.core.internals.managers import BlockManager  # type: ignore[import-untyped]

    place = _placer()
    blocks = [new_block_2d(_values(each.values), place(each.columns)) for each in table.blocks]
    objects: list[int] = []
    for at, column in enumerate(table.columns):
        if column.layout in _OBJECTS:
            objects.append(at)
        elif column.layout != "block":
            blocks.append(new_block_2d(_extension(column, table.rows), place([at])))
    size = -(-len(objects) // _MOST_WAITING) or 1
    for first in range(0, len(objects), size):
        group = objects[first : first + size]
        make = functools.partial(_objects, [_source(table.columns[at]) for at in group], table.rows)
        blocks.append(_waiting.block((len(group), table.rows), make, place(group)))
    names = pandas.Index([column.name for column in table.columns], dtype=object)
    manager = BlockManager(tuple(blocks), [names, pandas.RangeIndex(table.rows)], verify_integrity=False)
    return pandas.DataFrame._from_mgr(manager, manager.axes)


def _placer() -> Callable[[list[int]], Any]:
    import numpy
    from pandas._libs.internals import BlockPlacement  # type: ignore[import-untyped]

    def place(columns: list[int]) -> Any:
        first, last = columns[0], columns[-1]
        if last - first == len(columns) - 1:
            return BlockPlacement(slice(first, last + 1))
        return BlockPlacement(numpy.array(columns, dtype=numpy.intp))

    return place


def _values(values: Any) -> Any:
    """Return what pandas' blocks hold for an array."""
    from pandas.core.arrays import DatetimeArray  # type: ignore[import-untyped]

    return DatetimeArray._simple_new(values, dtype=values.dtype) if values.dtype.kind == "M" else values


def _extension(column: Column, rows: int) -> Any:
    """Make the array of a column that pandas keeps by itself."""
    import pandas
    from pandas.core.arrays import DatetimeArray, IntegerArray

    if column.layout == "nullable":
        return IntegerArray(column.values, column.mask)
    if column.layout == "instants":
        values = column.values.view("datetime64[us]").reshape(1, rows)
        return DatetimeArray._simple_new(values, dtype=pandas.DatetimeTZDtype("us", "UTC"))
    texts = [text for part in column.texts or () for text in part]
    dtype = pandas.CategoricalDtype(pandas.Index(texts, dtype=object), ordered=False)
    return pandas.Categorical.from_codes(column.codes, dtype=dtype, validate=False)  # open_table has looked at them


def _objects(sources: Sequence[Callable[[Any], None]], rows: int) -> Any:
    import numpy

    made = numpy.empty((len(sources), rows), dtype=object)
    for source, row in zip(sources, made, strict=True):
        source(row)
    return made


def _source(column: Column) -> Callable[[Any], None]:
    """Return what fills an array with the objects of a column."""
    if column.texts is None or column.layout == "dictionary":
        pool: list[Any] = []  # made once for all copies of the column
        return functools.partial(_fill_by_codes, column, pool)
    return functools.partial(_fill_by_rows, column)


def _fill_by_codes(column: Column, pool: list[Any], into: Any) -> None:
    import numpy

    if not pool:
        objects: list[object] = [False, True]
        if column.texts is not None:
            objects = [text for part in column.texts for text in part]
        made = numpy.empty(len(objects) + 1, dtype=object)
        made[:-1] = objects
        made[-1] = numpy.nan
        pool.append(made)
    for first in range(0, len(into), _ROWS):
        codes = column.codes[first : first + _ROWS]
        into[first : first + _ROWS] = pool[0][codes]


def _fill_by_rows(column: Column, into: Any) -> None:
    import numpy

    first = 0
    parse = json.JSONDecoder().decode if column.layout == "json" else None
    for texts in column.texts or ():
        if first + len(texts) > len(into):
            raise PreparedFault("a column has more texts than rows")
        for at, text in enumerate(texts if parse else (), first):
            into[at] = parse(text) if parse else text
        if not parse:
            into[first : first + len(texts)] = texts
        first += len(texts)
    if column.mask is not None:
        into[column.mask] = numpy.nan
