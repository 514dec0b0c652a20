"""Blocks of Python objects that are made when somebody wants them.

pandas keeps the columns of one dtype in a block. One of Python objects costs a run far more than all numbers, and
most scripts use few of them: here it knows its shape, and has its values with the first that wants them. Copies of
it, and views of its rows and columns, wait as well; what is made of it later is an ordinary block of pandas'. Who
wants some rows, as a look at the first ones does, has those made where all would be, and no others.
"""

from __future__ import annotations

import _thread
import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Shape = tuple[int, int]

__all__ = ["Making", "block"]


class Making:
    """An array of objects that is made by and by."""

    __slots__ = ("array", "_fill")

    def __init__(self, array: Any, fill: Callable[[int, int], None]) -> None:
        self.array, self._fill = array, fill

    def rows(self, slicer: slice) -> Any:
        """Return a view of some rows, once they are made."""
        chosen = range(*slicer.indices(self.array.shape[1]))
        if chosen:
            self._fill(min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1]) + 1)
        return self.array[..., slicer]


class _Waiting:
    """What a block has in the place of values: an array to be made, or else a part of another block's."""

    __slots__ = ("begin", "lock", "making", "part", "shape")

    def __init__(self, shape: Shape, begin: Callable[[], Making] | None, part: Callable[[], Any] | None = None) -> None:
        self.shape, self.begin, self.part = shape, begin, part
        self.making: Making | None = None
        self.lock = _thread.allocate_lock()

    @property
    def fresh(self) -> bool:
        """Whether nobody has anything of it yet: what is begun again is a copy."""
        return self.begin is not None and self.making is None

    def rows(self, slicer: slice) -> Any:
        """Return a view of some rows. The lock is held."""
        if self.begin is None:
            return self.part()[..., slicer] if self.part else None
        if self.making is None:
            self.making = self.begin()
        return self.making.rows(slicer)


def block(shape: Shape, begin: Callable[[], Making], placement: Any) -> Any:
    """Return a block of some columns and rows. What is begun is a new array each time, with the same in it."""
    return _block_class()(_Waiting(shape, begin), placement, 2)


@functools.cache
def _block_class() -> Any:
    """Return the class."""
    import numpy
    from pandas.core.internals.blocks import NumpyBlock  # type: ignore[import-untyped]  # Debian ships it without stubs

    def make(cls: type, values: Any, placement: Any, ndim: int, refs: Any = None) -> Any:
        kind = cls if type(values) is _Waiting else NumpyBlock
        return NumpyBlock.__new__(kind, values, placement, ndim, refs)

    known = {"dtype": numpy.dtype(object), "is_object": True, "is_extension": False, "is_numeric": False, "is_bool": False}
    alone = {"_can_consolidate": False, "_consolidate_key": (False, "object")}  # merging would make it
    views = {**_copies(NumpyBlock), **_parts(NumpyBlock)}
    members = {"__slots__": (), "__new__": make, **known, **alone, **_state(NumpyBlock), **views}
    return type("WaitingBlock", (NumpyBlock,), members)


@functools.cache
def _held() -> Any:
    """Return the descriptor of the place where a block keeps its values."""
    from pandas._libs.internals import Block  # type: ignore[import-untyped]

    return vars(Block)["values"]


def _state(ordinary: Any) -> dict[str, Any]:
    held = _held()

    def get_values(self: Any) -> Any:
        waiting = held.__get__(self)
        if type(waiting) is not _Waiting:
            return waiting
        with waiting.lock:
            found = held.__get__(self)
            if type(found) is _Waiting:
                found = found.rows(slice(None))
                held.__set__(self, found)
            return found

    def set_values(self: Any, values: Any) -> None:
        held.__set__(self, values)

    def shape(self: Any) -> Any:
        return held.__get__(self).shape

    def length(self: Any) -> Any:
        return shape(self)[0]

    def iget(self: Any, i: Any) -> Any:
        waiting = held.__get__(self)
        if type(waiting) is _Waiting and isinstance(i, tuple) and len(i) == 2 and isinstance(i[1], int):
            with waiting.lock:
                found = held.__get__(self)
                if type(found) is _Waiting and -found.shape[1] <= i[1] < found.shape[1]:
                    row = i[1] % found.shape[1]
                    return found.rows(slice(row, row + 1))[i[0], 0]
        return ordinary.iget(self, i)

    return {"values": property(get_values, set_values), "shape": property(shape), "__len__": length, "iget": iget}


def _waiting(of: Any) -> Any:
    """Return what a block waits with, or None of one that has values."""
    found = _held().__get__(of)
    return found if type(found) is _Waiting else None


def _view(of: Any, shape: Shape, part: Callable[[Any], Any], placement: Any, refs: Any) -> Any:
    """Return a block of the same memory, whichever of the two is made first."""
    return _block_class()(_Waiting(shape, None, lambda: part(of)), placement, 2, refs)


def _copies(ordinary: Any) -> dict[str, Any]:
    from pandas._libs import lib  # type: ignore[import-untyped]

    def copy(self: Any, deep: bool = True) -> Any:
        found = _waiting(self)
        if found and deep and found.fresh:
            return block(found.shape, found.begin, self._mgr_locs)
        if found and not deep:
            return _view(self, found.shape, lambda of: of.values, self._mgr_locs, self.refs)
        return ordinary.copy(self, deep)

    def take_nd(
        self: Any, indexer: Any, axis: int, new_mgr_locs: Any = None, fill_value: Any = lib.no_default
    ) -> Any:
        found = _waiting(self)
        whole = axis == 0 and list(indexer) == [0] and new_mgr_locs is not None
        if found and found.fresh and found.shape[0] == 1 and whole:
            return block(found.shape, found.begin, new_mgr_locs)
        return ordinary.take_nd(self, indexer, axis, new_mgr_locs, fill_value)

    return {"copy": copy, "take_nd": take_nd}


def _parts(ordinary: Any) -> dict[str, Any]:
    def rows_of(of: Any, slicer: slice) -> Any:
        found = _waiting(of)
        if found:
            with found.lock:
                if _waiting(of) is found:
                    return found.rows(slicer)
        return of.values[..., slicer]

    def slice_block_rows(self: Any, slicer: slice) -> Any:
        found = _waiting(self)
        if not found:
            return ordinary.slice_block_rows(self, slicer)
        columns, rows = found.shape
        shape = (columns, len(range(*slicer.indices(rows))))
        return _view(self, shape, lambda of: rows_of(of, slicer), self._mgr_locs, self.refs)

    def getitem_block_columns(self: Any, slicer: slice, new_mgr_locs: Any, ref_inplace_op: bool = False) -> Any:
        found = _waiting(self)
        if not found:
            return ordinary.getitem_block_columns(self, slicer, new_mgr_locs, ref_inplace_op)
        columns, rows = found.shape
        refs = self.refs if not ref_inplace_op or self.refs.has_reference() else None
        shape = (len(range(*slicer.indices(columns))), rows)
        return _view(self, shape, lambda of: of.values[slicer], new_mgr_locs, refs)

    return {"slice_block_rows": slice_block_rows, "getitem_block_columns": getitem_block_columns}
