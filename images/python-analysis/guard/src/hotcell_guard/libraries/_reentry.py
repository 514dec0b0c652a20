"""Native code of Python's own that calls a script's method, and goes on with what that has freed.

A comparison, a key or a number of the script's is asked in the middle of a search: it can
empty what is searched, or go on with what is compared. So numbers are made before the search
begins, keys live as long as what compares them, and contexts are not compared at all.
"""

from __future__ import annotations

import operator

from hotcell_guard.granting import _types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["keep_groups", "keep_searches"]

_SEARCHES: Final = ("find", "rfind", "index", "rindex", "count")
_PLAIN: Final = frozenset((str, int, float, bool, bytes, type(None)))


def keep_searches(natives: Natives) -> None:
    """Let a bytearray be searched and written out once its arguments are numbers and texts: to ask for them could empty it.

    What is filled in is a copy of it, for as many values as it has places can be asked.
    """
    held = vars(bytearray)
    natives.put(bytearray, **{name: _searching(held[name]) for name in _SEARCHES}, hex=_written(held["hex"]))
    contains = held["__contains__"]

    def __contains__(self: Any, key: Any, /) -> bool:  # noqa: N807
        return contains(self, _number(key))  # type: ignore[no-any-return]

    natives.take_contains(bytearray, __contains__)

    def __mod__(self: Any, values: Any, /) -> bytearray:  # noqa: N807
        return bytearray(bytes(self) % values)

    def __rmod__(self: Any, values: Any, /) -> Any:  # noqa: N807
        return NotImplemented

    natives.take_remainder(bytearray, __mod__, __rmod__)


def _searching(original: Any) -> Callable[..., int]:
    def search(self: Any, *given: Any) -> int:
        return original(self, *map(_number, given))  # type: ignore[no-any-return]

    search.__name__, search.__qualname__, search.__doc__ = original.__name__, original.__qualname__, original.__doc__
    return search


def _written(original: Any) -> Callable[..., str]:
    def hex(self: Any, *given: Any, **named: Any) -> str:  # noqa: A001
        """Create a string of hexadecimal numbers from a bytearray object."""
        exact = {name: _exact(value) for name, value in named.items()}
        return original(self, *map(_exact, given), **exact)  # type: ignore[no-any-return]

    return hex


def _number(value: Any) -> Any:
    """Return an exact int for what can be one."""
    return operator.index(value) if type(value) is not int and hasattr(type(value), "__index__") else value


def _exact(value: Any) -> Any:
    """Return an exact text, exact bytes or an exact int for what is or can be one."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if issubclass(kind, str):
        return str.__str__(value)
    return bytes(memoryview(value)) if issubclass(kind, bytes) else _number(value)


def keep_groups(module: Any) -> None:
    """Let the keys of ``itertools.groupby`` live as long as it does: a comparison could take the next, and free both."""
    real = module.groupby

    def groupby(iterable: Any, key: Any = None) -> Any:
        """Make an iterator that returns consecutive keys and groups from the iterable."""
        held: list[Any] = []

        def kept(value: Any) -> Any:
            found = value if key is None else key(value)
            if type(found) not in _PLAIN and not (type(found) is tuple and all(type(each) in _PLAIN for each in found)):
                held.append(found)
            return found

        return real(iterable, kept)

    _types.replace(real, groupby)
    module.groupby = groupby
