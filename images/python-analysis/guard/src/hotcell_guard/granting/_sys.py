"""``sys`` for the script: facts about this Python, its arguments and streams. Nothing of the interpreter's own tables."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn

__all__ = ["contents", "streams"]

_CONSTANTS: Final = (
    "byteorder maxsize maxunicode version version_info hexversion float_info int_info float_repr_style platform api_version"
).split()
_KEPT: Final = (
    "sys.setrecursionlimit() changes nothing here: calls are nested up to {} deep; use a loop, or a list as the stack"
)


def contents(script: str, leave: Callable[..., NoReturn]) -> dict[str, object]:
    """Return what the module holds; script is the first of the arguments, leave ends the run."""
    constants = {name: getattr(sys, name) for name in _CONSTANTS}
    # Lists of the script's own: what it puts there changes nothing of Python's.
    return {**constants, **_functions(), "exit": leave, "argv": [script], "path": [], "warnoptions": []}


def streams() -> dict[str, Callable[[], object]]:
    """Return the names whose values change, with what returns each: a redirected stream is the new one."""
    return {"stdout": lambda: sys.stdout, "stderr": lambda: sys.stderr}


def _functions() -> dict[str, object]:
    told: list[str] = []

    def getsizeof(obj: object, *default: int) -> int:
        """Return the size of an object in bytes."""
        return sys.getsizeof(obj, *default)

    def getrecursionlimit() -> int:
        """Return how deep calls may be nested."""
        return sys.getrecursionlimit()

    def setrecursionlimit(limit: int, /) -> None:
        """Say once that the limit stays as it is.

        Calls that go through C (sorted with a key, a library's apply) take the stack of the process, and Python
        counts no bytes of it: with twice as many it is used up, which ends the process and not the script.
        """
        wanted, limit = int.__index__(limit), sys.getrecursionlimit()
        if wanted < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        if wanted > limit and not told:
            told.append(_KEPT)
            warnings.warn(_KEPT.format(limit), RuntimeWarning, stacklevel=2)

    def getdefaultencoding() -> str:
        """Return the encoding of texts."""
        return sys.getdefaultencoding()

    def getfilesystemencoding() -> str:
        """Return the encoding of the names of files."""
        return sys.getfilesystemencoding()

    def intern(string: str, /) -> str:
        """Return the one object for a text."""
        return sys.intern(str.__str__(string))

    def exc_info() -> tuple[Any, Any, None]:
        """Return the class and the value of the exception that is being handled; the traceback is None."""
        error = sys.exception()
        return (None, None, None) if error is None else (type(error), error, None)

    every = getsizeof, getrecursionlimit, setrecursionlimit, getdefaultencoding, getfilesystemencoding, intern, exc_info
    return {each.__name__: each for each in every}
