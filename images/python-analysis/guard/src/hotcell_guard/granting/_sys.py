"""``sys`` for the script: facts about this Python, its arguments and streams. Nothing of the interpreter's own tables."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn

__all__ = ["contents"]

_CONSTANTS: Final = (
    "byteorder maxsize maxunicode version version_info hexversion float_info int_info float_repr_style platform api_version"
).split()
_MOST_CALLS: Final = 10_000
_MOST_DIGITS: Final = 100_000
_KEPT: Final = (
    "sys.setrecursionlimit() goes no further here: calls are nested up to {} deep; use a loop, or a list as the stack"
)


def contents(
    argv: list[str], leave: Callable[..., NoReturn], read: Callable[..., Any], stdin: object
) -> dict[str, object]:
    """Return what the module holds; argv are the script's arguments, leave ends the run, read is the script's getattr.

    stdin is at its end.
    """
    constants = {name: getattr(sys, name) for name in _CONSTANTS}
    # What a script that has redirected its streams puts back: this run's own, as they were before it began.
    first = {"__stdout__": sys.__stdout__, "__stderr__": sys.__stderr__, "__stdin__": stdin}
    # Lists of the script's own: what it puts there changes nothing of Python's.
    return {**constants, **_functions(read), "exit": leave, "argv": argv, "path": [], "warnoptions": [], **first}


def _functions(read: Callable[..., Any]) -> dict[str, object]:
    told: list[str] = []

    def getsizeof(obj: object, *default: int) -> int:
        """Return the size of an object in bytes."""
        return sys.getsizeof(obj, *default)

    def getrecursionlimit() -> int:
        """Return how deep calls may be nested."""
        return sys.getrecursionlimit()

    def setrecursionlimit(limit: int, /) -> None:
        """Set how deep calls may be nested, up to 10,000, and never fewer than there are now, which the guard needs.

        As in any Python, calls that go through C (sorted with a key, a library's apply) take the stack of the
        process, of which Python counts no bytes: nested that deep they end the process, and not the script.
        """
        wanted = int.__index__(limit)
        if wanted < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        sys.setrecursionlimit(max(sys.getrecursionlimit(), min(wanted, _MOST_CALLS)))
        if wanted > _MOST_CALLS and not told:
            told.append(_KEPT)
            warnings.warn(_KEPT.format(_MOST_CALLS), RuntimeWarning, stacklevel=2)

    def get_int_max_str_digits() -> int:
        """Return how many digits of an integer are made or read as text."""
        return sys.get_int_max_str_digits()

    def set_int_max_str_digits(maxdigits: int) -> None:
        """Set how many digits of an integer are made or read as text, up to 100,000: more take too long."""
        wanted = int.__index__(maxdigits)
        sys.set_int_max_str_digits(min(wanted, _MOST_DIGITS) or _MOST_DIGITS)  # nought would be without end

    def getrefcount(obj: object, /) -> int:
        """Return how many hold an object, as Python's own does: the call itself counts."""
        return sys.getrefcount(obj) - 1  # this function's own name for it

    digits = get_int_max_str_digits, set_int_max_str_digits
    every = *digits, getsizeof, getrefcount, getrecursionlimit, setrecursionlimit, *_of_texts(), *_of_what_is_handled(read)
    return {each.__name__: each for each in every}


def _of_texts() -> tuple[Callable[..., Any], ...]:
    def getdefaultencoding() -> str:
        """Return the encoding of texts."""
        return sys.getdefaultencoding()

    def getfilesystemencoding() -> str:
        """Return the encoding of the names of files."""
        return sys.getfilesystemencoding()

    def intern(string: str, /) -> str:
        """Return the one object for a text."""
        return sys.intern(str.__str__(string))

    return getdefaultencoding, getfilesystemencoding, intern


def _of_what_is_handled(read: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    def exception() -> BaseException | None:
        """Return the exception that is being handled."""
        return sys.exception()

    def exc_info() -> tuple[Any, Any, Any]:
        """Return the class and the value of the exception that is being handled, and where the script raised it."""
        error = sys.exception()
        return (None, None, None) if error is None else (type(error), error, read(error, "__traceback__"))

    return exc_info, exception
