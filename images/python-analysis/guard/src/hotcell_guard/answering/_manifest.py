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

__all__ = ["manifest"]


def manifest(output: str, figures: Collection[str]) -> list[dict[str, str | int]]:
    """Return the files' paths relative to output, sizes in bytes, hashes and roles."""
    entries: list[dict[str, str | int]] = []
    for path in sorted(_regular_files(output)):
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
