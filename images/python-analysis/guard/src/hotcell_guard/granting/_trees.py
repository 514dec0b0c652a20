"""Whole trees of files, copied and removed inside the zones; each path is looked at by itself."""

from __future__ import annotations

import errno
import io
import os
import posixpath

from hotcell_guard.granting._places import Places, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Fail = Callable[[Any, str, OSError], None]

__all__ = ["ReadError", "copy_file", "copy_tree", "remove_tree", "stop"]

_CHUNK: Final = 1 << 20


class ReadError(OSError):
    """An archive that cannot be read."""


def stop(function: Any, path: str, error: OSError) -> None:
    """Treat a path that cannot be removed as Python does by default."""
    raise error


def remove_tree(places: Places, place: str, unlink: Any, rmdir: Any, fail: Fail) -> None:
    """Remove a directory and all below it. place is what Places.entry returned; the rest is what is reported."""
    try:
        if os.path.islink(place):
            raise OSError(errno.ENOTDIR, "a link is no tree", place)
        with os.scandir(place) as found:
            entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
    except OSError as error:
        fail(rmdir, place, error)
        return
    for name, is_directory in entries:
        below = posixpath.join(place, name)
        try:
            below = places.entry(below)  # a bundle may lie below what can be written
            if not is_directory:
                os.unlink(below)
        except OSError as error:
            fail(unlink, below, error)
            continue
        if is_directory:
            remove_tree(places, below, unlink, rmdir, fail)
    try:
        os.rmdir(place)
    except OSError as error:
        fail(rmdir, place, error)


def copy_file(places: Places, source: Any, target: Any) -> None:
    """Copy what is in a file. Raises PermissionError, IsADirectoryError and what Python raises."""
    read, write = places.readable(source), places.writable(target)
    if read == write:
        raise OSError(errno.EINVAL, "the two paths are the same file", text_of(read))
    if os.path.exists(read) and not os.path.isfile(read):
        raise IsADirectoryError(errno.EISDIR, "only a regular file can be copied", text_of(read))
    with io.open(read, "rb") as given, io.open(write, "wb") as made:
        while chunk := given.read(_CHUNK):
            made.write(chunk)


def copy_tree(places: Places, source: str, target: str, ignore: Any, copy: Any, *, exists_ok: bool) -> None:
    """Copy a directory and all below it; ignore and copy are the script's."""
    read, write = places.readable(source), places.writable(target)
    if (write + "/").startswith(read + "/"):
        raise OSError(errno.EINVAL, "a directory cannot be copied into itself", text_of(write))
    names = sorted(os.listdir(read))
    left_out = frozenset(map(text_of, ignore(source, list(names)))) if ignore is not None else frozenset()
    if not (exists_ok and os.path.isdir(write)):
        os.makedirs(write)
    for name in names:
        if name in left_out:
            continue
        each, made = posixpath.join(source, name), posixpath.join(target, name)
        if os.path.isdir(places.readable(each)):
            copy_tree(places, each, made, ignore, copy, exists_ok=exists_ok)
        else:
            copy(each, made)
