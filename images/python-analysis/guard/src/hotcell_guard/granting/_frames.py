"""DataFrames over prepared tables: numbers lie where the file has them, texts are made when they are used."""

from __future__ import annotations

import functools
import json

from hotcell_guard.granting import _waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from hotcell_guard.granting._prepared import Column, PreparedTable

    Fill = Callable[[int, int], None]
    """Makes at least the objects of these rows, each once: a script may have changed them since."""

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
        begin = functools.partial(_objects, [_source(table.columns[at]) for at in group], table.rows)
        blocks.append(_waiting.block((len(group), table.rows), begin, place(group)))
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


def _objects(sources: Sequence[Callable[[Any], Fill]], rows: int) -> _waiting.Making:
    import numpy

    made = numpy.empty((len(sources), rows), dtype=object)
    fills = [source(row) for source, row in zip(sources, made, strict=True)]

    def fill(first: int, last: int) -> None:
        for each in fills:
            each(first, last)

    return _waiting.Making(made, fill)


def _source(column: Column) -> Callable[[Any], Fill]:
    """Return what begins to fill an array with the objects of a column."""
    if column.texts is None or column.layout == "dictionary":
        pool: list[Any] = []  # made once for all copies of the column
        return functools.partial(_by_codes, column, pool)
    return functools.partial(_by_rows, column)


def _by_codes(column: Column, pool: list[Any], into: Any) -> Fill:
    return functools.partial(_fill_by_codes, column, pool, into, set())


def _fill_by_codes(column: Column, pool: list[Any], into: Any, done: set[int], first: int, last: int) -> None:
    import numpy

    if not pool:
        objects: list[object] = [False, True]
        if column.texts is not None:
            objects = [text for part in column.texts for text in part]
        made = numpy.empty(len(objects) + 1, dtype=object)
        made[:-1] = objects
        made[-1] = numpy.nan
        pool.append(made)
    for at in range(first // _ROWS * _ROWS, last, _ROWS):
        if at not in done:
            into[at : at + _ROWS] = pool[0][column.codes[at : at + _ROWS]]
            done.add(at)


def _by_rows(column: Column, into: Any) -> Fill:
    return functools.partial(_fill_by_rows, column, into, set())


def _fill_by_rows(column: Column, into: Any, done: set[int], first: int, last: int) -> None:
    import numpy

    texts, at = column.texts, 0
    assert texts is not None
    parse = json.JSONDecoder().decode if column.layout == "json" else None
    for number, count in enumerate(texts.counts):
        end = at + count
        if at < last and first < end and number not in done:
            part = texts.part(number)
            for row, text in enumerate(part if parse else (), at):
                into[row] = parse(text) if parse else text
            if not parse:
                into[at:end] = part
            if column.mask is not None:
                into[at:end][column.mask[at:end]] = numpy.nan
            done.add(number)
        at = end
