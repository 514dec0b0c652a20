"""Keeps the host's own directory out of what lists the bundle's.

A path of a script's is pathlib's own, whose methods ask ``os``. Who opens what lies in the directory is refused
elsewhere (``_files``): here it is only not shown.
"""

from __future__ import annotations

import glob
import os

from hotcell_guard.granting._files import TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["hide"]


def hide(bundle: str) -> None:
    """Let ``os.listdir``, ``os.scandir`` and pathlib's patterns not show the directory below the bundle."""
    listing, scanning = os.listdir, os.scandir

    def lists_bundle(path: Any) -> bool:
        return not isinstance(path, int) and os.path.abspath(os.fsdecode(path)) == bundle

    def listdir(path: Any = ".") -> list[Any]:
        names = listing(path)
        return [name for name in names if os.fsdecode(name) != TABLES] if lists_bundle(path) else names

    def scandir(path: Any = ".") -> Any:
        entries = scanning(path)
        return _Entries(entries) if lists_bundle(path) else entries

    os.listdir, os.scandir = listdir, scandir
    glob._StringGlobber.scandir = staticmethod(scandir)  # type: ignore[attr-defined]  # it took the one that was there


class _Entries:
    """What ``scandir`` gives."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterator[os.DirEntry[Any]]) -> None:
        self._entries = entries

    def __iter__(self) -> Iterator[os.DirEntry[Any]]:
        return self

    def __next__(self) -> os.DirEntry[Any]:
        found = next(self._entries)
        return next(self._entries) if os.fsdecode(found.name) == TABLES else found

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries.close()  # type: ignore[attr-defined]
