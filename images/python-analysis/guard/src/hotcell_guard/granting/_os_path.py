"""``os.path``: what only reads the text is Python's own, what asks the file system stays in the zones."""

from __future__ import annotations

import errno
import os
import posixpath
import re
import stat

from hotcell_guard.granting._places import Places, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

__all__ = ["contents"]

_PURE: Final = (
    "abspath basename commonpath commonprefix dirname isabs join normcase normpath relpath split splitdrive splitext "
    "splitroot curdir pardir extsep altsep pathsep sep devnull supports_unicode_filenames"
).split()
_VARIABLE: Final = re.compile(r"\$(\w+|\{[^}]*\})", re.ASCII)


def contents(places: Places, environment: Mapping[str, str], home: str) -> dict[str, object]:
    """Return what the module holds. environment is what the script finds there, home what ``~`` stands for."""
    pure = {name: getattr(posixpath, name) for name in _PURE}
    return {**pure, **_questions(places), **_figures(places), **_texts(places, environment, home)}


def _questions(places: Places) -> dict[str, object]:
    """Return what says yes or no; of what is outside it says no."""

    def exists(path: Any) -> bool:
        """Test whether a path exists."""
        return places.status(path) is not None

    def lexists(path: Any) -> bool:
        """Test whether a path exists, also a broken link."""
        return places.status(path, follow=False) is not None

    def isfile(path: Any) -> bool:
        """Test whether a path is a regular file."""
        found = places.status(path)
        return found is not None and stat.S_ISREG(found.st_mode)

    def isdir(s: Any) -> bool:
        """Test whether a path is a directory."""
        found = places.status(s)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def islink(path: Any) -> bool:
        """Test whether a path is a symbolic link."""
        found = places.status(path, follow=False)
        return found is not None and stat.S_ISLNK(found.st_mode)

    def samefile(f1: Any, f2: Any) -> bool:
        """Test whether two paths are of one file."""
        first, second = os.stat(places.readable(f1)), os.stat(places.readable(f2))
        return (first.st_ino, first.st_dev) == (second.st_ino, second.st_dev)

    return _named(exists, lexists, isfile, isdir, islink, samefile)


def _figures(places: Places) -> dict[str, object]:
    def getsize(filename: Any) -> int:
        """Return the size of a file in bytes."""
        return os.stat(places.readable(filename)).st_size

    def getmtime(filename: Any) -> float:
        """Return when a file was last written, in seconds since the epoch."""
        return os.stat(places.readable(filename)).st_mtime

    def getatime(filename: Any) -> float:
        """Return when a file was last read."""
        return os.stat(places.readable(filename)).st_atime

    def getctime(filename: Any) -> float:
        """Return when a file's inode was last changed."""
        return os.stat(places.readable(filename)).st_ctime

    return _named(getsize, getmtime, getatime, getctime)


def _texts(places: Places, environment: Mapping[str, str], home: str) -> dict[str, object]:
    def realpath(filename: Any, *, strict: bool = False) -> str:
        """Return the absolute path; links are followed where the script may look."""
        text = text_of(filename)
        place = places.seen(text)
        if strict and (place is None or places.status(text) is None):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", text)
        return posixpath.abspath(text) if place is None else place

    def expanduser(path: Any) -> str:
        """Expand a leading ~, which is the run's scratch directory."""
        text = text_of(path)
        return home + text[1:] if text == "~" or text.startswith("~/") else text

    def expandvars(path: Any) -> str:
        """Expand variables of os.environ; what is not there stays as it is."""
        known: dict[Any, Any] = dict(environment)

        def value(found: re.Match[str]) -> str:
            held = known.get(found[1].strip("{}"))
            return str.__str__(held) if isinstance(held, str) else found[0]

        return _VARIABLE.sub(value, text_of(path))

    return _named(realpath, expanduser, expandvars)


def _named(*functions: Any) -> dict[str, object]:
    return {each.__name__: each for each in functions}
