"""Whether a limit is met of which an exception speaks.

A script can raise any exception, with any error number. What it cannot do is make the kernel
refuse what there is room for: so the kernel is asked, while what has met the limit is still there.
"""

from __future__ import annotations

import errno
import os

from hotcell_guard.answering._errors import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["Met"]

_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_MEANT: Final = (*_FULL, errno.EMFILE)
_PAGE: Final = 4096
_NAME_BYTES: Final = 8


class Met:
    """The limits of one run that only a look inside of the sandbox can tell of: the scratch directory and descriptors."""

    def __init__(self, scratch: str) -> None:
        self._scratch = scratch
        # Which exception the kernel's own refusal was, by its identity: to hold it would keep all its frames alive.
        self._seen = 0

    def note(self, error: OSError) -> None:
        """Note an exception that comes from the kernel."""
        if number(error) in _MEANT:
            self._seen = id(error)

    def look(self, error: Any) -> None:
        """Look before something is removed because of an exception."""
        if issubclass(type(error), OSError) and number(error) in _FULL and self._is_full():
            self._seen = id(error)

    def limit(self, error: BaseException) -> str:
        """Return the limit that an exception speaks of and that is met, or nothing."""
        told, seen, self._seen = number(error), self._seen == id(error), 0
        if told in _FULL:
            return "scratch" if seen or self._is_full() else ""
        return "open_files" if told == errno.EMFILE and (seen or self._has_no_descriptor()) else ""

    def _is_full(self) -> bool:
        path = f"{self._scratch}/.full-{os.urandom(_NAME_BYTES).hex()}"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            return error.errno in _FULL
        try:
            return os.write(descriptor, bytes(_PAGE)) < _PAGE
        except OSError as error:
            return error.errno in _FULL
        finally:
            os.close(descriptor)
            os.unlink(path)

    def _has_no_descriptor(self) -> bool:
        try:
            os.close(os.open(self._scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        except OSError as error:
            return error.errno == errno.EMFILE
        return False
