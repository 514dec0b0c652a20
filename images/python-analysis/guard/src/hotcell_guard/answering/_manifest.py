"""What the run left: every regular file in the output directory.

The host checks every word of it. A link, a pipe or a name that is not UTF-8 is
not listed, and the host refuses what is not listed.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Final

__all__ = ["TooManyFiles", "manifest"]

_LEAST_ENTRY: Final = len('{"path":"","bytes":0,"sha256":"","role":"file"},') + 64
"""Bytes that a file takes in a report, besides its path."""


class TooManyFiles(Exception):
    """No report can list them: they are not read."""


def manifest(output: str, figures: Collection[str], most: int) -> list[dict[str, str | int]]:
    """Return the files' paths relative to output, sizes in bytes, hashes and roles: a list that may take so many bytes."""
    entries: list[dict[str, str | int]] = []
    paths: list[str] = []
    taken = 0
    for path in _regular_files(output):
        paths.append(path)
        taken += len(path) + _LEAST_ENTRY
        if taken > most:
            raise TooManyFiles(
                f"the list of the files that the script has left, of which {len(paths)} were counted, "
                f"takes more than {most} bytes, which is the limit: leave fewer"
            )
    for path in sorted(paths):
        size, digest = _digest(f"{output}/{path}")
        role = "figure" if path in figures else "file"
        entries.append({"path": path, "bytes": size, "sha256": digest, "role": role})
    return entries


def _regular_files(output: str) -> Iterator[str]:
    directories = [""]
    while directories:
        prefix = directories.pop()
        with os.scandir(f"{output}/{prefix}") as entries:
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    directories.append(path + "/")
                elif entry.is_file(follow_symlinks=False) and _is_unicode(entry.name):
                    yield path


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _digest(path: str) -> tuple[int, str]:
    import hashlib  # here, for loading OpenSSL takes 3 ms and many runs leave no file

    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no longer a regular file")
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest
