"""``shutil.make_archive`` and ``unpack_archive``: zip and tar files of what is in the zones.

Each path is looked at by itself. What is no regular file or directory is left out, and so is the archive itself.
"""

from __future__ import annotations

import errno
import io
import os
import posixpath
import tarfile
import zipfile

from hotcell_guard.granting._places import Places, text_of
from hotcell_guard.granting._trees import ReadError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

__all__ = ["packing"]

_ENDINGS: Final = {"zip": ".zip", "tar": ".tar", "gztar": ".tar.gz", "bztar": ".tar.bz2", "xztar": ".tar.xz"}
_READ: Final = {"tar": "r:", "gztar": "r:gz", "bztar": "r:bz2", "xztar": "r:xz"}
_WRITE: Final = {"tar": "w:", "gztar": "w:gz", "bztar": "w:bz2", "xztar": "w:xz"}
_ALSO: Final = {".tgz": "gztar", ".tbz2": "bztar", ".txz": "xztar"}
_CHUNK: Final = 1 << 20


def packing(places: Places, look: Callable[[str], None]) -> dict[str, Any]:
    """Return the two functions. look warns of a file that will not leave."""

    def make_archive(
        base_name: Any,
        format: Any,  # noqa: A002
        root_dir: Any = None,
        base_dir: Any = None,
        verbose: object = False,
        dry_run: object = False,
        owner: object = None,
        group: object = None,
        logger: object = None,
    ) -> str:
        """Make an archive of a directory and return its path; owners are not kept."""
        kind = _known(format, "archive")
        root = "" if root_dir is None else text_of(root_dir)
        if root and not os.path.exists(places.readable(root)):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", root)
        if root and not os.path.isdir(places.readable(root)):
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", root)
        base = posixpath.normpath("." if base_dir is None else text_of(base_dir))
        path = text_of(base_name) + _ENDINGS[kind]
        target = places.writable(path)
        found = [each for each in _found(places, root, base) if each[0] != target]
        if not dry_run:
            os.makedirs(posixpath.dirname(target), exist_ok=True)
            look(path)
            with io.open(target, "wb") as file:
                (_zip if kind == "zip" else _tar)(file, found, kind)
        return posixpath.abspath(path) if root else path

    def unpack_archive(
        filename: Any,
        extract_dir: Any = None,
        format: Any = None,  # noqa: A002
        *,
        filter: object = None,  # noqa: A002
    ) -> None:
        """Unpack an archive into a directory; links and devices in it are left out."""
        path = text_of(filename)
        kind = _kind_of(path) if format is None else _known(format, "unpack")
        into = "." if extract_dir is None else text_of(extract_dir)
        os.makedirs(places.writable(into), exist_ok=True)
        with io.open(places.readable(path), "rb") as file:
            for name, source in (_of_zip if kind == "zip" else _of_tar)(file, kind):
                if name.startswith("/") or ".." in name.split("/"):
                    raise PermissionError(errno.EACCES, "a member of the archive lies outside of the directory", name)
                _write(places, posixpath.join(into, name), source, look)

    return {"make_archive": make_archive, "unpack_archive": unpack_archive}


def _known(given: Any, what: str) -> str:
    text = text_of(given)
    if text not in _ENDINGS:
        raise ValueError(f"unknown {what} format '{text}'")
    return text


def _kind_of(path: str) -> str:
    named = {**{ending: kind for kind, ending in _ENDINGS.items()}, **_ALSO}
    kind = next((named[ending] for ending in named if path.endswith(ending)), None)
    if kind is None:
        raise ReadError(f"Unknown archive format '{path}'")
    return kind


def _found(places: Places, root: str, base: str) -> Iterator[tuple[str, str]]:
    """Yield the places of directories and regular files, and their names in the archive."""
    start = posixpath.join(root, base)
    place = places.readable(start)
    if base != ".":
        if not os.path.exists(place):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", start)
        yield place, base
    yield from _below(places, place, "" if base == "." else base)


def _below(places: Places, place: str, name: str) -> Iterator[tuple[str, str]]:
    if not os.path.isdir(place):
        return
    inner: list[tuple[str, str]] = []
    for each in sorted(os.listdir(place)):
        at, called = places.seen(posixpath.join(place, each)), posixpath.join(name, each)
        if at is not None and os.path.isdir(at) and not os.path.islink(posixpath.join(place, each)):
            inner.append((at, called))
        elif at is not None and os.path.isfile(at):
            yield at, called
    for at, called in inner:
        yield at, called
        yield from _below(places, at, called)


def _zip(file: Any, found: list[tuple[str, str]], kind: str) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, name in found:
            info = zipfile.ZipInfo.from_file(place, name, strict_timestamps=False)
            info.compress_type = zipfile.ZIP_DEFLATED
            if info.is_dir():
                archive.writestr(info, b"")
                continue
            with io.open(place, "rb") as source, archive.open(info, "w") as member:
                while chunk := source.read(_CHUNK):
                    member.write(chunk)


def _tar(file: Any, found: list[tuple[str, str]], kind: str) -> None:
    with tarfile.open(fileobj=file, mode=_WRITE[kind]) as archive:  # type: ignore[call-overload]
        for place, name in found:
            member, status = tarfile.TarInfo(name), os.stat(place)
            member.mtime = int(status.st_mtime)
            if os.path.isdir(place):
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(member)
                continue
            with io.open(place, "rb") as source:
                member.size = status.st_size
                archive.addfile(member, source)


def _of_zip(file: Any, kind: str) -> Iterator[tuple[str, Any]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                yield info.filename, None
            else:
                with archive.open(info) as member:
                    yield info.filename, member


def _of_tar(file: Any, kind: str) -> Iterator[tuple[str, Any]]:
    with tarfile.open(fileobj=file, mode=_READ[kind]) as archive:  # type: ignore[call-overload]
        for member in archive:
            if member.isdir():
                yield member.name, None
            elif member.isreg():
                yield member.name, archive.extractfile(member)


def _write(places: Places, path: str, source: Any, look: Callable[[str], None]) -> None:
    """Write what is in a member; without one the path is a directory."""
    target = places.writable(path)
    os.makedirs(target if source is None else posixpath.dirname(target), exist_ok=True)
    if source is None:
        return
    look(path)
    with io.open(target, "wb") as made:
        while chunk := source.read(_CHUNK):
            made.write(chunk)
