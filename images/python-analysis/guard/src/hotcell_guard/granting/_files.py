"""Which paths the run's code and the libraries may open."""

from __future__ import annotations

import errno
import io
import os
import sys

from hotcell_guard.granting._endings import Endings
from hotcell_guard.granting._met import Met

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import IO, Any, Final

__all__ = ["TABLES", "Zones", "exact_path", "guarded_open"]

_LIBRARY_PATHS: Final = (
    "/usr/lib/python3",
    "/usr/lib/python3.13",
    "/usr/share/fonts",
    "/usr/share/matplotlib",
    "/usr/share/python3-plotly",
    "/usr/share/zoneinfo",
    "/etc/matplotlibrc",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/mime.types",
    "/etc/fonts",
    "/dev/null",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
)
"""What libraries read for themselves; measured with numpy, pandas, scipy,
statsmodels, matplotlib and plotly. Nothing in the image is secret."""


TABLES: Final = ".tables"
"""The directory of the bundle in which the host keeps its tables prepared: scripts have no business there."""

_CODE_PATHS: Final = ("/usr/lib/python3/dist-packages", "/usr/lib/python3.13")
"""Where the code of the image is."""


class Zones:
    """The directories of one run. Paths are compared after they are normalised.

    No link can be made inside the zones (the audit hook refuses it) and the
    bundle holds none, so comparing names is enough there.
    """

    def __init__(self, bundle: str, output: str, scratch: str, endings: tuple[str, ...] = ()) -> None:
        self._bundle = bundle
        self._read = tuple(path for path in (bundle, output, scratch) if path)
        self._write = (output, scratch)
        self.endings = Endings(output, endings)
        libraries = [path for path in sys.path if path.startswith("/")]
        self._library = (*self._read, *_LIBRARY_PATHS, *libraries)
        self.code = (*_CODE_PATHS, *libraries)
        self.scratch = scratch
        self.met = Met(scratch)

    @property
    def roots(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What the run's own code may read, what it may write, and the bundle, if there is one."""
        return self._read, self._write, (self._bundle,) if self._bundle else ()

    @property
    def readable(self) -> tuple[str, ...]:
        """What libraries may read, each with a slash at its end."""
        return _directories(self._library)

    @property
    def writable(self) -> tuple[str, ...]:
        """What may be written, each with a slash at its end."""
        return _directories(self._write)

    @property
    def hidden(self) -> tuple[str, ...]:
        """What of the bundle is the host's own, with a slash at its end."""
        return tuple(f"{path}{TABLES}/" for path in self.bundle)

    def hides(self, path: str) -> bool:
        """Tell whether the file or directory at path is the host's own."""
        return (_normal(path) + "/").startswith(self.hidden)

    @property
    def changeable(self) -> tuple[str, ...]:
        """What may be written, with the one device."""
        return (*self._write, "/dev/null")

    @property
    def bundle(self) -> tuple[str, ...]:
        """What may be written nowhere, also where it lies below what may."""
        return _directories((self._bundle,))

    def may_write(self, path: str) -> bool:
        """Tell whether the run may create or change the file at path."""
        name = _normal(path)
        return name == "/dev/null" or (_beneath(name, self._write) and not _beneath(name, (self._bundle,)))

    def may_read(self, path: str) -> bool:
        """Tell whether the run's own open may read path."""
        return _beneath(_normal(path), self._read) and not self.hides(path)

    def library_may_read(self, path: str) -> bool:
        """Tell whether a library may read path on its own account."""
        return _beneath(_normal(path), self._library) and not self.hides(path)


def _directories(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(path.rstrip("/") + "/" for path in paths if path)


def _normal(path: str) -> str:
    # Only a path with ".." can leave a directory behind a link that the image holds.
    return os.path.realpath(path) if ".." in path.split("/") else os.path.abspath(path)


def _beneath(name: str, roots: tuple[str, ...]) -> bool:
    return any(root and (name == root or name.startswith(root.rstrip("/") + "/")) for root in roots)


def exact_path(path: object) -> str | None:
    """Return path as an exact str, or None when it is neither str nor bytes.

    A subclass could answer differently the second time it is asked.
    """
    if isinstance(path, str):
        return str.__str__(path)
    if isinstance(path, bytes):
        return os.fsdecode(bytes.__getitem__(path, slice(None)))
    return None


def guarded_open(zones: Zones) -> Callable[..., IO[Any]]:
    """Make the run's ``open``: the builtin's, for paths inside the zones."""

    def open(  # noqa: A001  # it takes the builtin's place
        file: str | bytes | os.PathLike[str],
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
    ) -> IO[Any]:
        path = exact_path(os.fspath(file))
        if path is None:
            raise TypeError("open() takes a path")
        if ".." in path.split("/"):  # by its text: where it leads would tell which links the image holds
            path = os.path.abspath(path)
        mode = str.__str__(mode)
        writes = not set(mode).isdisjoint("wax+")
        if not (zones.may_write(path) if writes else zones.may_read(path)):
            reason = "open() writes below OUTPUT and /tmp" if writes else "open() reads below DATA, OUTPUT and /tmp"
            raise PermissionError(errno.EACCES, reason, path)
        if writes:
            zones.endings.look(path)
        try:
            return io.open(path, mode, buffering, encoding, errors, newline)
        except OSError as error:
            zones.met.note(error)
            raise

    return open
