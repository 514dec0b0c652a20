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
_NOT_OVER: Final = "an array of objects is made without a buffer and strides: numpy.empty(shape, object), then its items"
_NOT_LENT: Final = "the memory of an array of objects is not lent to be written as bytes: use its items, tolist() or astype()"


def keep(natives: Natives, numpy: Any) -> None:
    """Change numpy's arrays."""
    array, exact = numpy.ndarray, numpy.dtype
    held = vars(array)
    natives.take_buffer(array, _lend(held["__buffer__"], held["dtype"].__get__))
    make = held["__new__"]

    def checked(
        shape: Any, dtype: Any = float, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
    ) -> dict[str, Any]:
        given = {"buffer": buffer, "strides": strides}
        if any(each is not None for each in given.values()):
            dtype = exact(dtype)  # no object of the script's, which could become another between two looks
            if dtype.hasobject:
                raise TypeError(_NOT_OVER)
        return {"shape": shape, "dtype": dtype, **given, "offset": offset, "order": order}

    def __new__(cls: type, *args: Any, **options: Any) -> Any:  # noqa: N807
        return make(cls, **checked(*args, **options))

    def __init__(self: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        if type(self) is array:  # a subclass has been asked before, and may take other arguments
            checked(*args, **options)

    natives.take_new(array, __new__)
    natives.take_init(array, __init__)


def _lend(original: Callable[[Any, int], memoryview], dtype: Callable[[Any], Any]) -> Callable[[Any, int], memoryview]:
    def __buffer__(self: Any, flags: int, /) -> memoryview:  # noqa: N807
        if not dtype(self).hasobject:
            return original(self, flags)
        if not flags & _FORMAT:
            raise BufferError(_NOT_LENT)
        return original(self, flags) if flags & _WRITABLE else original(self, flags).toreadonly()

    return __buffer__


def holder(numpy: Any) -> Callable[[Any], bool]:
    """Return what tells whether there are objects in the memory that an array shows, or shows a part of."""
    array = numpy.ndarray
    base, dtype = (vars(array)[name].__get__ for name in ("base", "dtype"))

    def holds_objects(each: Any) -> bool:
        while issubclass(type(each), array):
            if dtype(each).hasobject:
                return True
            each = base(each)
        return False

    return holds_objects
