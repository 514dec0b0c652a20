"""``tarfile`` for the script: Python's own, which sees of the system what the script sees of it.

It makes no links, owners or modes: what a link leads to is extracted in its place.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
import tarfile
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, NoReturn

    from hotcell_guard.granting._places import Places

__all__ = ["contents"]

_SHOWN: Final = (
    "open TarFile TarInfo TarError ReadError CompressionError StreamError ExtractError HeaderError FilterError "
    "AbsolutePathError OutsideDestinationError SpecialFileError AbsoluteLinkError LinkOutsideDestinationError is_tarfile "
    "data_filter tar_filter fully_trusted_filter ENCODING USTAR_FORMAT GNU_FORMAT PAX_FORMAT DEFAULT_FORMAT REGTYPE AREGTYPE "
    "LNKTYPE SYMTYPE DIRTYPE FIFOTYPE CONTTYPE CHRTYPE BLKTYPE GNUTYPE_SPARSE"
).split()
_OF_TEXT: Final = "abspath basename commonpath dirname isabs join normpath split splitdrive splitext".split()


def contents(places: Places, system: Mapping[str, Any], opener: object) -> dict[str, object]:
    """Return what the module holds. system is what the script has of ``os``, opener its ``open``."""
    module: Any = tarfile
    module.os = _system(places, system)
    module.bltn_open = opener
    module._LowLevelFile = _by_descriptor
    return {name: getattr(module, name) for name in _SHOWN if hasattr(module, name)}


def _by_descriptor(name: object, mode: object) -> NoReturn:
    raise ValueError("an archive is read or written as a stream through fileobj=open(name, 'rb') here")


def _system(places: Places, system: Mapping[str, Any]) -> SimpleNamespace:
    """Return what stands for os in tarfile: places inside the zones, and nothing that makes links, owners or devices."""

    def lstat(path: Any) -> os.stat_result:
        return _status(places, path, follow=False)

    def status(path: Any) -> os.stat_result:
        return _status(places, path, follow=True)

    def fstat(number: object) -> NoReturn:
        raise OSError(errno.EBADF, "gettarinfo() takes the name of a file here")

    def utime(path: Any, times: Any) -> None:
        os.utime(places.entry(path), times)

    def chmod(path: object, mode: object) -> None:
        """Leave the mode: the owner may read and write what is extracted."""

    own = {name: system[name] for name in ("listdir", "makedirs", "mkdir", "unlink")}
    told = {"sep": os.sep, "name": os.name, "curdir": os.curdir, "fspath": os.fspath, "path": _paths(places)}
    return SimpleNamespace(lstat=lstat, stat=status, fstat=fstat, utime=utime, chmod=chmod, **own, **told)


def _paths(places: Places) -> SimpleNamespace:
    def exists(path: Any) -> bool:
        return places.status(path) is not None

    def isdir(path: Any) -> bool:
        found = places.status(path)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def realpath(path: Any, *, strict: object = False) -> str:
        """Return the path without dots: the zones hold no links."""
        place: str = posixpath.abspath(path)
        return place

    texts = {name: getattr(posixpath, name) for name in _OF_TEXT}
    return SimpleNamespace(exists=exists, lexists=exists, isdir=isdir, realpath=realpath, ALLOW_MISSING=object(), **texts)


def _status(places: Places, path: Any, *, follow: bool) -> os.stat_result:
    found = places.status(path, follow=follow)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
    return found
