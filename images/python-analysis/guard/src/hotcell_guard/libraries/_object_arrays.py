"""Keeps what an array of objects holds from being taken for numbers, and numbers for objects.

The memory of such an array are pointers. Whoever writes numbers there, or has numpy take
numbers for pointers, has objects of his own making: with them any memory is read and
written. numpy refuses that where it converts between types, but lends the memory to
whoever asks for bytes (``readinto``, ``struct.pack_into``, a memoryview), makes arrays of
objects over any buffer, and lets strides be set so that pointers overlap.

Native code that asks for the elements' format as well, and writes (Cython's typed buffers of
objects), goes on getting it: it knows what it has there. A memoryview can be read only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["holder", "keep"]

_WRITABLE: Final = 0x1
_FORMAT: Final = 0x4
"""PyBUF_WRITABLE and PyBUF_FORMAT. Who writes bytes asks for the first alone, a memoryview for the second, Cython for either."""
_TEXTS: Final = "T"
"""The code of StringDType, each of whose objects has a memory of its own, and the array only places in it."""
_NOT_OVER: Final = "an array of objects is made without a buffer and strides: numpy.empty(shape, object), then its items"
_NOT_LENT: Final = "the memory of an array of objects is not lent to be written as bytes: use its items, tolist() or astype()"


def keep(natives: Natives, numpy: Any) -> None:
    """Change numpy's arrays."""
    array, exact = numpy.ndarray, numpy.dtype
    held = vars(array)
    kind_of = held["dtype"].__get__
    natives.take_buffer(array, _lend(held["__buffer__"], kind_of))
    make = held["__new__"]

    def __new__(cls: type, *args: Any, **options: Any) -> Any:  # noqa: N807
        given = _given(*args, **options)
        if _has_memory(given):
            given["dtype"] = exact(given["dtype"])  # no object of the script's, which could become another between two looks
            if given["dtype"].hasobject:
                raise TypeError(_NOT_OVER)
        return make(cls, **given)

    def __init__(self: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        # A subclass has been asked before, and may take other arguments. What the array itself has become is what counts.
        if type(self) is array and kind_of(self).hasobject and _has_memory(_given(*args, **options)):
            raise TypeError(_NOT_OVER)

    natives.take_new(array, __new__)
    natives.take_init(array, __init__)
    _compare(numpy._core._internal)


def _given(
    shape: Any, dtype: Any = float, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
) -> dict[str, Any]:
    """Return the arguments of an array by their names."""
    return {"shape": shape, "dtype": dtype, "buffer": buffer, "offset": offset, "strides": strides, "order": order}


def _has_memory(given: dict[str, Any]) -> bool:
    return given["buffer"] is not None or given["strides"] is not None


def _compare(module: Any) -> None:
    """Give numpy's judges of views and fields other bodies: its native code has taken them already.

    They ask whether two dtypes are equal. One that says that there are objects, as that of some fields of an array
    does, is equal to one made by hand that does not, and the view of that type would show pointers as numbers.
    """
    # The name is numpy's own global, set below.
    def view(oldtype: Any, newtype: Any) -> None:
        if not _is_same(oldtype, newtype) and (newtype.hasobject or oldtype.hasobject):
            raise TypeError("Cannot change data-type for array of references.")

    def field(oldtype: Any, newtype: Any, offset: Any) -> None:
        if newtype.hasobject or oldtype.hasobject:
            parts = [(oldtype, 0)] if oldtype.names is None else [(oldtype, 0), *map(oldtype.fields.get, oldtype.names)]
            if not any(part[1] == offset and _is_same(part[0], newtype) for part in parts):
                raise TypeError("Cannot get/set field of an object array")

    module._is_same = _is_same
    module._view_is_safe.__code__ = view.__code__
    module._getfield_is_safe.__code__ = field.__code__


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether memory of one dtype is that of another: all parts say the same of objects, and texts are kept in one place."""
    if one is other:
        return True
    if one != other or one.hasobject is not other.hasobject or one.char == _TEXTS:
        return False
    if one.subdtype is not None:
        return other.subdtype is not None and _is_same(one.base, other.base)
    return one.names is None or all(_is_same(one.fields[name][0], other.fields[name][0]) for name in one.names)


def _lend(original: Callable[[Any, int], memoryview], dtype: Callable[[Any], Any]) -> Callable[[Any, int], memoryview]:
    def __buffer__(self: Any, flags: int, /) -> memoryview:  # noqa: N807
        if not dtype(self).hasobject:
            return original(self, flags)
        if not flags & _FORMAT:
            raise BufferError(_NOT_LENT)
        return original(self, flags) if flags & _WRITABLE else original(self, flags).toreadonly()

    return __buffer__


def holder(numpy: Any) -> Callable[[Any], bool]:
    """Return what tells whether there can be objects in the memory that an array shows, or shows a part of.

    An array over what is no array (a memoryview, an iterator) tells nothing of what lies between its items.
    """
    array = numpy.ndarray
    base, dtype, flags = (vars(array)[name].__get__ for name in ("base", "dtype", "flags"))

    def holds_objects(each: Any) -> bool:
        whole = True
        while issubclass(type(each), array):
            if dtype(each).hasobject:
                return True
            whole, each = flags(each).forc, base(each)
        return each is not None and not whole

    return holds_objects
