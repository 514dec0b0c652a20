"""``shutil`` for the script: files and trees of the zones. Modes, owners and times are not copied."""

from __future__ import annotations

import errno
import fnmatch
import os
import posixpath
from collections import namedtuple

from hotcell_guard.granting._places import Places, text_of
from hotcell_guard.granting._trees import ReadError, copy_file, copy_tree, remove_tree, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["contents"]

terminal_size = namedtuple("terminal_size", "columns lines")


class Error(OSError):
    """A file or a tree that cannot be copied or moved."""


class SameFileError(Error):
    """Two paths of one file."""


def contents(places: Places, functions: Mapping[str, object], look: Callable[[str], None]) -> dict[str, object]:
    """Return what the module holds. functions are those of ``os``, which handlers of errors are called with.

    look warns of a file that will not leave.
    """
    copies = _copies(places)
    removal = _removal(places, functions)
    own = {**copies, **removal, **_moving(places, copies, removal), **_others(), **_packing(places, look)}
    return {**own, "Error": Error, "SameFileError": SameFileError, "ReadError": ReadError}


def _into(places: Places, source: Any, target: Any) -> str:
    """Return the path of the copy: in a directory it keeps its name."""
    text = text_of(target)
    if os.path.isdir(places.writable(text)):
        return posixpath.join(text, posixpath.basename(text_of(source).rstrip("/")))
    return text


def _copies(places: Places) -> dict[str, Any]:
    def copyfile(src: Any, dst: Any, *, follow_symlinks: bool = True) -> str:
        """Copy what is in a file to another path and return it."""
        text = text_of(dst)
        source = text_of(src)
        if places.readable(source) == places.writable(text):
            raise SameFileError(errno.EINVAL, "the two paths are the same file", text)
        copy_file(places, source, text)
        return text

    def copy(src: Any, dst: Any, *, follow_symlinks: bool = True) -> str:
        """Copy a file to a path or into a directory and return the copy's path."""
        source = text_of(src)
        return copyfile(source, _into(places, source, dst))

    def copy2(src: Any, dst: Any, *, follow_symlinks: bool = True) -> str:
        """Copy a file to a path or into a directory; its times are the copy's own."""
        source = text_of(src)
        return copyfile(source, _into(places, source, dst))

    def copytree(
        src: Any,
        dst: Any,
        symlinks: bool = False,
        ignore: Callable[[str, list[str]], Any] | None = None,
        copy_function: Callable[[str, str], object] = copy2,
        ignore_dangling_symlinks: bool = False,
        dirs_exist_ok: bool = False,
    ) -> str:
        """Copy a whole directory and return the copy's path."""
        text = text_of(dst)
        copy_tree(places, text_of(src), text, ignore, copy_function, exists_ok=bool(dirs_exist_ok))
        return text

    return _named(copyfile, copy, copy2, copytree)


def _removal(places: Places, functions: Mapping[str, object]) -> dict[str, Any]:
    def rmtree(
        path: Any, ignore_errors: bool = False, onerror: Any = None, *, onexc: Callable[..., object] | None = None
    ) -> None:
        """Remove a directory and all that is in it."""

        def fail(function: Any, place: str, error: OSError) -> None:
            if ignore_errors:
                return
            if onexc is not None:
                onexc(function, place, error)
            elif onerror is not None:
                onerror(function, place, (type(error), error, None))
            else:
                stop(function, place, error)

        text = text_of(path)
        unlink, rmdir = functions["unlink"], functions["rmdir"]
        try:
            place = places.entry(text)
        except OSError as error:
            fail(rmdir, text, error)
            return
        remove_tree(places, place, unlink, rmdir, fail)

    return _named(rmtree)


def _moving(places: Places, copies: Mapping[str, Any], removal: Mapping[str, Any]) -> dict[str, Any]:
    def move(src: Any, dst: Any, copy_function: Callable[[str, str], object] | None = None) -> str:
        """Move a file or directory to a path or into a directory and return where it is."""
        source = text_of(src)
        start = places.entry(source)
        target = _into(places, source, dst)
        end = places.entry(target)
        if os.path.isdir(end) or (end + "/").startswith(start + "/"):
            raise Error(f"{target!r} is there already, or lies in what is moved")
        try:
            os.rename(start, end)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        else:
            return target
        if os.path.isdir(start):  # OUTPUT and /tmp are two file systems
            copies["copytree"](source, target)
            removal["rmtree"](source)
        else:
            (copy_function or copies["copy2"])(source, target)
            os.unlink(start)
        return target

    return _named(move)


def _packing(places: Places, look: Callable[[str], None]) -> dict[str, Any]:
    """Return what packs and unpacks archives; the modules that do are loaded when it is first called."""

    def make_archive(
        base_name: Any,
        format: Any,  # noqa: A002
        root_dir: Any = None,
        base_dir: Any = None,
        verbose: object = False,
        dry_run: object = False,
        **options: Any,
    ) -> Any:
        """Make an archive of a directory, as zip, tar, gztar, bztar or xztar, and return its path."""
        return load()["make_archive"](base_name, format, root_dir, base_dir, verbose, dry_run, **options)

    def unpack_archive(filename: Any, extract_dir: Any = None, format: Any = None, **options: Any) -> None:  # noqa: A002
        """Unpack an archive into a directory."""
        load()["unpack_archive"](filename, extract_dir, format, **options)

    def load() -> dict[str, Any]:
        from hotcell_guard.granting import _archives  # few scripts need its modules

        return _archives.packing(places, look)

    return _named(make_archive, unpack_archive)


def _others() -> dict[str, Any]:
    def copyfileobj(fsrc: Any, fdst: Any, length: int = 0) -> None:
        """Copy what is in one open file to another."""
        while chunk := fsrc.read(length or 1 << 16):
            fdst.write(chunk)

    def ignore_patterns(*patterns: Any) -> Callable[[str, list[str]], set[str]]:
        """Return what copytree takes as ignore: names that match one of the patterns."""
        exact = [text_of(each) for each in patterns]

        def ignored(path: str, names: list[str]) -> set[str]:
            return {name for each in exact for name in fnmatch.filter(names, each)}

        return ignored

    def get_terminal_size(fallback: tuple[int, int] = (80, 24)) -> Any:
        """Return the size of the terminal: there is none, so it is the fallback."""
        columns, lines = fallback
        return terminal_size(columns, lines)

    return _named(copyfileobj, ignore_patterns, get_terminal_size)


def _named(*functions: Any) -> dict[str, Any]:
    return {each.__name__: each for each in functions}
