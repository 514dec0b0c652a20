"""``tempfile`` for the script: files and directories in the run's scratch directory, or elsewhere in the zones.

What a temporary file or directory removes at its end is looked up then, by its path:
whatever a script has written into its attributes, it removes what the script may.
"""

from __future__ import annotations

import contextlib
import io
import os
import posixpath

from hotcell_guard.granting._os import Descriptors
from hotcell_guard.granting._places import Places, text_of
from hotcell_guard.granting._trees import remove_tree, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, Final

__all__ = ["contents"]

_TRIES: Final = 100
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789_"
_LETTERS: Final = 8
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PREFIX: Final = "tmp"
_BEFORE_DELETE: Final = 7
"""Parameters that NamedTemporaryFile takes by place before the one that it alone has."""


def contents(places: Places, scratch: str, descriptors: Descriptors) -> dict[str, object]:
    """Return what the module holds."""
    make = _maker(places, scratch)
    open_new = _opener(make)
    directories = _directories(places, make)
    return {
        **directories,
        **_descriptors(make, scratch, descriptors),
        "NamedTemporaryFile": _named_file(places, open_new),
        **_unnamed_files(open_new),
        "tempdir": scratch,
    }


def _maker(places: Places, scratch: str) -> Callable[..., Any]:
    """Return what calls a function with new paths until one is not there yet, and returns what it returned, and the path."""

    def make(function: Callable[[str], Any], suffix: Any, prefix: Any, directory: Any) -> tuple[Any, str]:
        before = _PREFIX if prefix is None else text_of(prefix)
        after = "" if suffix is None else text_of(suffix)
        if "/" in before or "/" in after:
            raise ValueError("the prefix and the suffix of a temporary name hold no '/'")
        above = os.path.abspath(scratch if directory is None else text_of(directory))
        for _ in range(_TRIES):
            letters = "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in os.urandom(_LETTERS))
            path = posixpath.join(above, f"{before}{letters}{after}")
            try:
                return function(places.writable(path)), path
            except FileExistsError:
                continue
        raise FileExistsError("no usable temporary name was found")

    return make


def _create(place: str) -> int:
    return os.open(place, _FLAGS, 0o600)


def _make_directory(place: str) -> None:
    os.mkdir(place, 0o700)


def _opener(make: Callable[..., Any]) -> Callable[..., tuple[IO[Any], str]]:
    """Return what makes a new file and opens it: the file and its path."""

    def open_new(
        mode: str = "w+b",
        buffering: int = -1,
        encoding: str | None = None,
        newline: str | None = None,
        suffix: Any = None,
        prefix: Any = None,
        dir: Any = None,  # noqa: A002
        *,
        errors: str | None = None,
    ) -> tuple[IO[Any], str]:
        made: list[str] = []

        def create(place: str, flags: int) -> int:
            """Return a descriptor. It is the file's from then on: nobody else closes it, for its number may be another's."""
            descriptor = _create(place)
            made.append(place)
            return descriptor

        def opened(place: str) -> IO[Any]:
            return io.open(place, mode, buffering, encoding, errors, newline, opener=create)

        try:
            file, path = make(opened, suffix, prefix, dir)
            made.clear()
            return file, path
        finally:
            for place in made:  # what could not be opened
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(place)

    open_new.__qualname__ = "TemporaryFile"  # a TypeError names it
    return open_new


def _descriptors(make: Callable[..., Any], scratch: str, descriptors: Descriptors) -> dict[str, object]:
    def mkstemp(suffix: Any = None, prefix: Any = None, dir: Any = None, text: bool = False) -> tuple[int, str]:  # noqa: A002
        """Create and return a unique temporary file: its descriptor and its path."""
        number, path = make(_create, suffix, prefix, dir)
        descriptors.add(number)
        return number, path

    def gettempdir() -> str:
        """Return the directory of temporary files."""
        return scratch

    def gettempprefix() -> str:
        """Return what names of temporary files begin with."""
        return _PREFIX

    return _named(mkstemp, gettempdir, gettempprefix)


def _directories(places: Places, make: Callable[..., Any]) -> dict[str, object]:
    def mkdtemp(suffix: Any = None, prefix: Any = None, dir: Any = None) -> str:  # noqa: A002
        """Create and return a unique temporary directory."""
        path: str = make(_make_directory, suffix, prefix, dir)[1]
        return path

    class Directory:
        """A temporary directory; it is removed at the end of its context or by cleanup()."""

        __slots__ = ("ignore", "name")

        def __init__(self, name: str, ignore: bool) -> None:
            self.name = name
            self.ignore = ignore

        def cleanup(self) -> None:
            """Remove the directory and all that is in it."""
            with contextlib.suppress(FileNotFoundError):
                _remove(places, self.name, ignore=bool(self.ignore))

        def __enter__(self) -> str:
            return self.name

        def __exit__(self, kind: object, error: object, trace: object, /) -> None:
            places.look(error)
            self.cleanup()

        def __repr__(self) -> str:
            return f"<TemporaryDirectory {self.name!r}>"

    def TemporaryDirectory(  # noqa: N802  # Python's own name
        suffix: Any = None,
        prefix: Any = None,
        dir: Any = None,  # noqa: A002
        ignore_cleanup_errors: bool = False,
        *,
        delete: bool = True,
    ) -> Any:
        """Create a temporary directory; its context gives its path, and removes it at its end."""
        path = mkdtemp(suffix, prefix, dir)
        return Directory(path, bool(ignore_cleanup_errors)) if delete else contextlib.nullcontext(path)

    return _named(mkdtemp, TemporaryDirectory)


def _remove(places: Places, name: object, *, ignore: bool) -> None:
    def fail(function: Any, path: str, error: OSError) -> None:
        if not ignore:
            stop(function, path, error)

    remove_tree(places, places.entry(name), None, None, fail)


class _NamedFile:
    """A temporary file with a name: what it does without a look at its place."""

    __slots__ = ("_file", "delete", "name")

    def __init__(self, file: IO[Any], name: str, delete: bool) -> None:
        self._file = file
        self.name = name
        self.delete = delete

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> _NamedFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)

    def __next__(self) -> Any:
        return next(self._file)

    def read(self, size: int | None = -1, /) -> Any:
        """Read from the file."""
        return self._file.read(-1 if size is None else size)

    def readline(self, size: int = -1, /) -> Any:
        """Read a line."""
        return self._file.readline(size)

    def readlines(self, hint: int = -1, /) -> list[Any]:
        """Read all lines."""
        return self._file.readlines(hint)

    def write(self, data: Any, /) -> int:
        """Write to the file."""
        return self._file.write(data)

    def writelines(self, lines: Any, /) -> None:
        """Write several lines."""
        self._file.writelines(lines)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a place in the file."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the file."""
        return self._file.tell()

    def truncate(self, size: int | None = None, /) -> int:
        """Cut the file."""
        return self._file.truncate(size)

    def flush(self) -> None:
        """Write what is buffered."""
        self._file.flush()

    def fileno(self) -> int:
        """Return the file's descriptor."""
        return self._file.fileno()

    def readable(self) -> bool:
        """Tell whether it can be read."""
        return self._file.readable()

    def writable(self) -> bool:
        """Tell whether it can be written."""
        return self._file.writable()

    def seekable(self) -> bool:
        """Tell whether one can move in it."""
        return self._file.seekable()

    def isatty(self) -> bool:
        """Tell that it is no terminal."""
        return False

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._file.closed

    @property
    def encoding(self) -> Any:
        """The encoding of a text file."""
        return getattr(self._file, "encoding", None)


def _named_file(places: Places, open_new: Callable[..., tuple[IO[Any], str]]) -> Callable[..., Any]:
    class NamedFile(_NamedFile):
        """A temporary file with a name; it is removed when it is closed."""

        __slots__ = ()

        def close(self) -> None:
            """Close the file, and remove it if that was asked for."""
            if self._file.closed:
                return
            self._file.close()
            if self.delete:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(places.entry(self.name))

    def NamedTemporaryFile(  # noqa: N802  # Python's own name
        *how: Any, delete: bool = True, delete_on_close: bool = True, **named: Any
    ) -> Any:
        """Create and return a temporary file with a name."""
        if len(how) > _BEFORE_DELETE:
            *how, delete = how  # type: ignore[assignment]
        file, path = open_new(*how, **named)
        return NamedFile(file, path, bool(delete) and bool(delete_on_close))

    return NamedTemporaryFile


def _unnamed_files(open_new: Callable[..., tuple[IO[Any], str]]) -> dict[str, object]:
    def TemporaryFile(*how: Any, **named: Any) -> IO[Any]:  # noqa: N802  # Python's own name
        """Create and return a temporary file that has no name any more."""
        file, path = open_new(*how, **named)
        os.unlink(path)
        return file

    def SpooledTemporaryFile(*how: Any, max_size: int = 0, **named: Any) -> IO[Any]:  # noqa: N802  # Python's own name
        """Create and return a temporary file; here it is one from the beginning. What its size may be comes first."""
        return TemporaryFile(*how[1:], **named)

    return _named(TemporaryFile, SpooledTemporaryFile)


def _named(*functions: Any) -> dict[str, object]:
    return {each.__name__: each for each in functions}
