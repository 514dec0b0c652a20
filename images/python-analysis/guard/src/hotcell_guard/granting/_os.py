"""``os`` for the script: paths and files inside the zones, an environment that is empty, and nothing of the system's.

No function here is Python's own, and none takes a descriptor's number of anybody
else's or a directory's: what is not here is refused by name (``_advice``).
"""

from __future__ import annotations

import errno
import io
import os
import posixpath
import stat

from hotcell_guard.granting._namespace import SimpleNamespace
from hotcell_guard.granting._places import Places, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, Final

__all__ = ["Descriptors", "contents", "status_of"]

_CONSTANTS: Final = (
    "sep linesep name curdir pardir extsep altsep pathsep devnull F_OK R_OK W_OK X_OK O_RDONLY O_WRONLY O_RDWR O_CREAT O_EXCL "
    "O_TRUNC O_APPEND SEEK_SET SEEK_CUR SEEK_END PathLike fspath fsencode fsdecode error"
).split()
_TIMES: Final = "st_mode st_size st_mtime st_atime st_ctime st_mtime_ns st_atime_ns st_ctime_ns st_nlink st_ino".split()
_MOST_RANDOM: Final = 1 << 20


class Descriptors:
    """The descriptors that ``mkstemp`` has handed out: the only ones that the script closes or opens by number."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def add(self, number: int) -> None:
        """Take a number for the script's."""
        self._open.add(number)

    def take(self, number: object) -> int:
        """Return the number, which is the script's no more. Raises OSError for any other."""
        if type(number) is not int or number not in self._open:
            raise OSError(errno.EBADF, "only a descriptor that tempfile.mkstemp() gave can be used by its number")
        self._open.discard(number)
        return number


def contents(places: Places, path: object, environment: dict[str, str], descriptors: Descriptors) -> dict[str, object]:
    """Return what the module holds. path is the view of ``os.path``."""
    own = {**_listing(places), **_changes(places), **_questions(places), **_others(environment, descriptors)}
    return {**{name: getattr(os, name) for name in _CONSTANTS}, **own, "environ": environment, "path": path}


def status_of(found: os.stat_result) -> SimpleNamespace:
    """Return sizes and times: Python's own result leads to os."""
    return SimpleNamespace({name: getattr(found, name) for name in _TIMES})


def entry_class(places: Places) -> Callable[[str, str], Any]:
    """Return the class of what ``scandir`` gives. Whatever its attributes say, the places decide."""

    class DirEntry:
        """One entry of a directory."""

        __slots__ = ("name", "path")

        def __init__(self, name: str, path: str) -> None:
            self.name = name
            self.path = path

        def is_dir(self, *, follow_symlinks: bool = True) -> bool:
            """Tell whether it is a directory."""
            found = places.status(self.path, follow=bool(follow_symlinks))
            return found is not None and stat.S_ISDIR(found.st_mode)

        def is_file(self, *, follow_symlinks: bool = True) -> bool:
            """Tell whether it is a regular file."""
            found = places.status(self.path, follow=bool(follow_symlinks))
            return found is not None and stat.S_ISREG(found.st_mode)

        def is_symlink(self) -> bool:
            """Tell whether it is a symbolic link."""
            found = places.status(self.path, follow=False)
            return found is not None and stat.S_ISLNK(found.st_mode)

        def stat(self, *, follow_symlinks: bool = True) -> SimpleNamespace:
            """Return its size and times."""
            found = places.status(self.path, follow=bool(follow_symlinks))
            if found is None:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", self.path)
            return status_of(found)

        def __fspath__(self) -> str:
            return self.path

        def __repr__(self) -> str:
            return f"<DirEntry {self.name!r}>"

    return DirEntry


class _Entries:
    """What ``scandir`` gives: its entries one after the other, and a context."""

    __slots__ = ("_entries",)

    def __init__(self, entries: list[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> _Entries:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End it."""
        self._entries = iter(())


def _listing(places: Places) -> dict[str, object]:
    entry = entry_class(places)

    def listdir(path: Any = ".") -> list[str]:
        """Return the names in a directory, sorted."""
        return sorted(os.listdir(places.readable(path)))

    def scandir(path: Any = ".") -> _Entries:
        """Return an iterator over the entries of a directory."""
        text = text_of(path)
        return _Entries([entry(name, posixpath.join(text, name)) for name in listdir(text)])

    def walk(
        top: Any, topdown: bool = True, onerror: Callable[[OSError], object] | None = None, followlinks: bool = False
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        """Generate (directory, names of directories, names of files) for a tree."""
        text = text_of(top)
        try:
            names = listdir(text)
        except OSError as error:
            if onerror is not None:
                onerror(error)
            return
        directories: list[str] = []
        files: list[str] = []
        for name in names:
            found = places.status(posixpath.join(text, name))
            (directories if found is not None and stat.S_ISDIR(found.st_mode) else files).append(name)
        if topdown:
            yield text, directories, files
        for name in list(directories):  # the script may have changed it
            below = posixpath.join(text, text_of(name))
            found = places.status(below, follow=bool(followlinks))
            if found is not None and stat.S_ISDIR(found.st_mode):
                yield from walk(below, topdown, onerror, followlinks)
        if not topdown:
            yield text, directories, files

    return _named(listdir, scandir, walk)


def _changes(places: Places) -> dict[str, object]:
    return {**_makers(places), **_removers(places), **_movers(places)}


def _makers(places: Places) -> dict[str, object]:
    def mkdir(path: Any, mode: int = 0o777) -> None:
        """Create a directory; its owner may always use it."""
        os.mkdir(places.writable(path), _mode(mode))

    def makedirs(name: Any, mode: int = 0o777, exist_ok: bool = False) -> None:
        """Create a directory and those above it that are missing."""
        place = places.writable(name)
        missing = []
        while place and not os.path.isdir(place):
            missing.append(places.writable(place))
            place = posixpath.dirname(place)
        if not missing and not exist_ok:
            raise FileExistsError(errno.EEXIST, "File exists", text_of(place))
        for each in reversed(missing):
            try:
                os.mkdir(each, _mode(mode))
            except FileExistsError:  # another thread was first
                if not exist_ok or not os.path.isdir(each):
                    raise

    return _named(mkdir, makedirs)


def _mode(mode: int) -> int:
    return int.__and__(mode, 0o777) | 0o700


def _removers(places: Places) -> dict[str, object]:
    def remove(path: Any) -> None:
        """Remove a file."""
        os.unlink(places.entry(path))

    def unlink(path: Any) -> None:
        """Remove a file."""
        os.unlink(places.entry(path))

    def rmdir(path: Any) -> None:
        """Remove an empty directory."""
        os.rmdir(places.entry(path))

    return _named(remove, unlink, rmdir)


def _movers(places: Places) -> dict[str, object]:
    def rename(src: Any, dst: Any) -> None:
        """Rename a file or directory."""
        os.rename(places.entry(src), places.entry(dst))

    def replace(src: Any, dst: Any) -> None:
        """Rename a file or directory, over one that is there."""
        os.replace(places.entry(src), places.entry(dst))

    def renames(old: Any, new: Any) -> None:
        """Rename a file or directory after the directories above its new name have been made."""
        source, target = places.entry(old), places.entry(new)
        os.makedirs(posixpath.dirname(target), exist_ok=True)
        os.rename(source, target)

    return _named(rename, replace, renames)


def _questions(places: Places) -> dict[str, object]:
    def status(path: Any, *, follow_symlinks: bool = True) -> SimpleNamespace:
        """Return the size and the times of a file."""
        place = places.readable(path)
        return status_of(os.stat(place, follow_symlinks=bool(follow_symlinks)))

    def access(path: Any, mode: int) -> bool:
        """Tell whether the script may use a path: it may read in all zones, and write below OUTPUT and /tmp."""
        if places.status(path) is None:
            return False
        place = places.seen(text_of(path))
        asked = int.__and__(mode, 7)
        return place is not None and not (asked & os.W_OK and not places.may_write(place)) and os.access(place, asked)

    def chdir(path: Any) -> None:
        """Accept the working directory, which stays."""
        if places.readable(path) != os.getcwd():
            stays = "the working directory stays OUTPUT; write os.path.join(directory, name)"
            raise PermissionError(errno.EACCES, stays, text_of(path))

    def getcwd() -> str:
        """Return the working directory, which is OUTPUT."""
        return os.getcwd()

    status.__name__ = status.__qualname__ = "stat"
    return {"stat": status, "lstat": status, **_named(access, chdir, getcwd)}


def _others(environment: dict[str, str], descriptors: Descriptors) -> dict[str, object]:
    def getenv(key: str, default: object = None) -> object:
        """Return a variable of the environment, in which is only what the script has put there."""
        return environment.get(key, default)

    def cpu_count() -> int | None:
        """Return the number of processors."""
        return os.cpu_count()

    def urandom(size: int, /) -> bytes:
        """Return random bytes."""
        exact = int.__index__(size)
        if not 0 <= exact <= _MOST_RANDOM:
            raise ValueError(f"os.urandom() gives up to {_MOST_RANDOM} bytes here")
        return os.urandom(exact)

    def close(fd: int) -> None:
        """Close a descriptor that tempfile.mkstemp() gave."""
        os.close(descriptors.take(fd))

    def fdopen(
        fd: int,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
    ) -> IO[Any]:
        """Return a file for a descriptor that tempfile.mkstemp() gave."""
        return io.open(descriptors.take(fd), mode, buffering, encoding, errors, newline)

    def get_terminal_size(fd: int = 1, /) -> None:
        """Say that there is no terminal."""
        raise OSError(errno.ENOTTY, "there is no terminal; use shutil.get_terminal_size()")

    return _named(getenv, cpu_count, urandom, close, fdopen, get_terminal_size)


def _named(*functions: Any) -> dict[str, object]:
    return {each.__name__: each for each in functions}
