"""Where a path leads, and whether the script may look at it or change it there.

Every function of the stand-ins gives the system the path that was found here: exact
text, absolute, without ``..`` and without links. No link can be made in the zones, so
nothing that is moved between the look and the use can lead out of them, and ``..`` is
what its text says. A text that names a place outside is not looked up at all: what it
leads to would tell which links the image holds.
"""

from __future__ import annotations

import errno
import os
from posixpath import join

from hotcell_guard.granting._files import exact_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from hotcell_guard.granting._files import Zones

__all__ = ["Places", "text_of"]

_READS: Final = "only what is below DATA, OUTPUT and /tmp can be looked at"
_WRITES: Final = "only what is below OUTPUT and /tmp can be changed"
_ROOT: Final = "this directory holds the run's own; change what is in it"
_NUL: Final = "\0"


def text_of(path: object) -> str:
    """Return a path as exact text; whoever gives it is asked once. Raises TypeError and ValueError."""
    if not isinstance(path, str):
        path = os.fspath(path)  # type: ignore[call-overload]  # raises TypeError
    text = exact_path(path) if isinstance(path, str) else None
    if text is None:
        raise TypeError("a path is text or a Path here, neither bytes nor the number of a descriptor")
    if _NUL in text:
        raise ValueError("embedded null byte")
    return text


class Places:
    """The places of one run. Paths are looked up in the file system, and compared there."""

    def __init__(self, zones: Zones) -> None:
        self._zones = zones
        self._roots: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None = None

    def look(self, error: object) -> None:
        """Look whether the scratch directory is full, before something is removed from it because of an exception."""
        self._zones.met.look(error)

    def readable(self, path: object) -> str:
        """Return where the path leads. Raises PermissionError for what the script may not read."""
        text = text_of(path)
        place = self.seen(text)
        if place is None:
            raise PermissionError(errno.EACCES, _READS, text)
        return place

    def seen(self, text: str) -> str | None:
        """Return where a text leads, None when that is outside."""
        place = self._followed(text)
        if place is None or self._zones.hides(place):
            return None
        return place if _beneath(place, self._all()[0]) else None

    def writable(self, path: object) -> str:
        """Return the place that is written through. Raises PermissionError for what the script may not change."""
        text = text_of(path)
        place = self._followed(text)
        if place is None or not self.may_write(place):
            raise PermissionError(errno.EACCES, _WRITES, text)
        return place

    def entry(self, path: object) -> str:
        """Return the place of an entry that is moved or removed: itself, not what a link leads to."""
        text = text_of(path)
        place = self._entry(text)
        if place is None or not self.may_write(place):
            raise PermissionError(errno.EACCES, _WRITES, text)
        if any(root == place or root.startswith(place + "/") for roots in self._all() for root in roots):
            raise PermissionError(errno.EACCES, _ROOT, text)
        return place

    def may_write(self, place: str) -> bool:
        """Tell whether what is at a place, as the other methods return it, may be changed."""
        _, write, bundle = self._all()
        return _beneath(place, write) and not _beneath(place, bundle)

    def status(self, path: object, *, follow: bool = True) -> os.stat_result | None:
        """Return what the system says of a path, None when nothing is there or it is outside."""
        text = text_of(path)
        try:
            place = self.seen(text) if follow else self._entry(text)
            if place is None or not _beneath(place, self._all()[0]):
                return None
            return os.stat(place, follow_symlinks=follow)
        except (OSError, ValueError):  # a lone surrogate has no form in the file system
            return None

    def _followed(self, text: str) -> str | None:
        """Return where a text leads, links followed, None when it names a place outside."""
        named = self._named(text)
        return None if named is None else os.path.realpath(named)

    def _entry(self, text: str) -> str | None:
        """Return where an entry stands: its directory, links followed, and its name."""
        named = self._named(text)
        if named is None:
            return None
        directory, _, name = named.rpartition("/")
        return join(os.path.realpath(directory or "/"), name)

    def _named(self, text: str) -> str | None:
        """Return the text as an absolute path without ``..``, if that is in the zones."""
        if not text:
            return None
        path = os.path.abspath(text)
        path = path[1:] if path.startswith("//") else path
        return path if _beneath(path, self._zones.roots[0]) or _beneath(path, self._all()[0]) else None

    def _all(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return what may be read, what may be written, and the bundle."""
        if self._roots is None:
            read, write, bundle = self._zones.roots
            self._roots = _resolved(read), _resolved(write), _resolved(bundle)
        return self._roots


def _resolved(roots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(os.path.realpath(root) for root in roots)


def _beneath(place: str, roots: tuple[str, ...]) -> bool:
    return any(place == root or place.startswith(root.rstrip("/") + "/") for root in roots)
