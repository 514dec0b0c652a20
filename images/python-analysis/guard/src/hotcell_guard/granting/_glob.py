"""``glob`` for the script: patterns that find what is in the zones."""

from __future__ import annotations

import fnmatch
import os
import posixpath
import re
import stat

from hotcell_guard.granting._places import Places, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

__all__ = ["contents"]

_MAGIC: Final = re.compile("[*?[]")
_DEEPEST: Final = 100
"""Directories below each other that ``**`` looks into."""


def contents(places: Places) -> dict[str, object]:
    """Return what the module holds."""
    find = _Finder(places).find

    def iglob(
        pathname: Any, *, root_dir: Any = None, recursive: bool = False, include_hidden: bool = False
    ) -> Iterator[str]:
        """Return an iterator over the paths that match a pattern."""
        return iter(glob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))

    def glob(
        pathname: Any, *, root_dir: Any = None, recursive: bool = False, include_hidden: bool = False
    ) -> list[str]:
        """Return the paths that match a pattern, sorted."""
        text = text_of(pathname)
        above = "" if root_dir is None else text_of(root_dir)
        base = posixpath.join(above, "/") if text.startswith("/") else above
        parts = [part for part in text.split("/") if part]
        if not parts:
            return [text] if text and places.status(text) is not None else []
        found = find(base, "/" if text.startswith("/") else "", parts, bool(recursive), bool(include_hidden))
        if text.endswith("/"):
            found = (f"{each}/" for each in found if _is_directory(places, posixpath.join(base, each)))
        return sorted(set(found))

    def escape(pathname: Any) -> str:
        """Escape all special characters."""
        return re.sub("([*?[])", "[\\1]", text_of(pathname))

    def has_magic(s: Any) -> bool:
        """Tell whether a text is a pattern."""
        return _MAGIC.search(text_of(s)) is not None

    return {each.__name__: each for each in (glob, iglob, escape, has_magic)}


def _is_directory(places: Places, path: str) -> bool:
    found = places.status(path or ".")
    return found is not None and stat.S_ISDIR(found.st_mode)


class _Finder:
    """Finds the paths below a directory that match the parts of a pattern."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def find(self, base: str, found: str, parts: list[str], recursive: bool, hidden: bool) -> Iterator[str]:
        """Yield what matches below base and found, as found and what comes after it."""
        part, rest = parts[0], parts[1:]
        if recursive and part == "**":
            yield from self._deep(base, found, rest, hidden)
            return
        for name in self._matching(posixpath.join(base, found), part, hidden):
            each = posixpath.join(found, name)
            if rest:
                yield from self.find(base, each, rest, recursive, hidden)
            elif self._places.status(posixpath.join(base, each), follow=False) is not None:
                yield each

    def _matching(self, path: str, part: str, hidden: bool) -> list[str]:
        if not _MAGIC.search(part):
            return [part]
        return fnmatch.filter(self._names(path, hidden or part.startswith(".")), part)

    def _deep(self, base: str, found: str, rest: list[str], hidden: bool) -> Iterator[str]:
        for directory in self._below(base, found, 0, hidden):
            if rest:
                yield from self.find(base, directory, rest, True, hidden)
            else:
                yield from self._all(base, directory, hidden)

    def _all(self, base: str, directory: str, hidden: bool) -> Iterator[str]:
        """Yield a directory and its files; those below it are found by themselves."""
        if directory and self._places.status(posixpath.join(base, directory)) is not None:
            yield directory
        for name in self._names(posixpath.join(base, directory), hidden):
            each = posixpath.join(directory, name)
            if not _is_directory(self._places, posixpath.join(base, each)):
                yield each

    def _below(self, base: str, found: str, depth: int, hidden: bool) -> Iterator[str]:
        """Yield a directory and all below it."""
        yield found
        if depth < _DEEPEST:
            for name in self._names(posixpath.join(base, found), hidden):
                each = posixpath.join(found, name)
                if _is_directory(self._places, posixpath.join(base, each)):
                    yield from self._below(base, each, depth + 1, hidden)

    def _names(self, path: str, hidden: bool) -> list[str]:
        place = self._places.seen(path or ".")
        try:
            listed = [] if place is None else os.listdir(place)
        except OSError:  # what is no directory, or is gone, has no names
            listed = []
        return [name for name in listed if hidden or not name.startswith(".")]
