"""Cython's own arrays and memory views, of which each module that is compiled with it has classes.

Whoever calls such a class makes one over memory that nobody has allocated, or one that
takes numbers for objects. A script finds the class of any object that it is shown, and
a class is also told to hooks of abstract classes. So the classes are shown as ``object``,
and what makes their objects looks at what it is told. Cython itself makes most of them
without asking the class.
"""

from __future__ import annotations

import struct

from hotcell_guard.granting import _types
from hotcell_guard.granting._real import class_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["CythonViews"]

_NAMES: Final = frozenset(("array", "memoryview", "_memoryviewslice", "Enum"))
_OF_CYTHON: Final = frozenset(("__reduce__", "__setstate__", "__new__"))
"""Special methods that Cython writes into each of them, as functions of its own."""
_BUILTIN: Final = type(len)
_FORMAT: Final = 4
"""PyBUF_FORMAT: the buffer says of what class its items are."""
_MOST: Final = 1 << 40
"""Bytes of an array, which is more than any sandbox has."""


class CythonViews:
    """Closes such classes, those of the modules loaded by now. Repeatable, until natives cannot be changed any more."""

    def __init__(self, natives: Natives) -> None:
        self._natives = natives
        self._closed: set[type] = set()

    def close(self) -> None:
        """Close the classes that are new; afterwards no native code is loaded, so that there are none."""
        if not self._natives.is_open:
            return
        for kind in _found():
            if kind not in self._closed:
                self._close(kind)
                self._closed.add(kind)
                _types.replace(kind, object)

    def _close(self, kind: type) -> None:
        made = _MAKERS.get(kind.__name__)
        self._natives.drop(kind, "__new__")
        if made is None:
            self._natives.make_none(kind)
        else:
            self._natives.take_init(kind, made)
        self._natives.close_bases(kind)


def _found() -> Iterator[type]:
    for kind in type.__subclasses__(object):
        if kind.__name__ not in _NAMES or not _is_cythons(kind):
            continue
        yield kind
        yield from (each for each in type.__subclasses__(kind) if each.__name__ in _NAMES and _is_cythons(each))


def _is_cythons(kind: type) -> bool:
    held = class_dict(kind)
    return type(kind) is type and _OF_CYTHON <= held.keys() and type(held["__new__"]) is _BUILTIN


def _array(
    self: Any, shape: Any, itemsize: Any, format: Any, mode: Any = "c", allocate_buffer: Any = True  # noqa: A002
) -> None:
    """Look at what an array was made of: its class has done so already, and let go of it is soon done."""
    text = format if type(format) is str else bytes.decode(format, "ascii")
    plain = type(itemsize) is int and type(shape) is tuple and mode == "c" and allocate_buffer is True
    size = struct.calcsize(text) if plain and "O" not in text else -1
    if size != itemsize:
        raise TypeError("an array of Cython's cannot be made here; use numpy.empty()")
    for length in shape:
        size *= length if type(length) is int else _MOST + 1
    if size > _MOST:
        raise MemoryError("an array of Cython's is too large")
    memoryview(self).cast("B")[:] = bytes(size)


def _memoryview(self: Any, obj: Any, flags: Any, dtype_is_object: Any = False) -> None:
    """Look at what a memory view was made of: whether its items are objects is what the buffer says."""
    if type(flags) is not int or (dtype_is_object and not flags & _FORMAT):
        raise TypeError("a memory view of Cython's cannot be made here; use numpy.asarray()")


_MAKERS: Final[dict[str, Callable[..., None]]] = {"array": _array, "memoryview": _memoryview}
"""What looks at objects that Python code has had made, Cython's own too; of the other classes it has none made."""
