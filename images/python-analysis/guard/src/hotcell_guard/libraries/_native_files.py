"""Native code that opens files by itself, or takes a descriptor's number: no audit event tells of it.

Found by what the image's shared objects import of the C library (``fopen``, ``freopen``,
Fortran's ``OPEN``, C++'s streams) and by who asks an object for its ``fileno``. What a
library can do without is refused, what it needs is asked of the audit hook first.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import sys

from hotcell_guard.granting import _types
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._importing import has_begun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = [
    "keep_certificates",
    "keep_fonts",
    "keep_hulls",
    "keep_openers",
    "keep_regressions",
    "keep_solvers",
    "open_matrices_in_python",
    "without_descriptor",
]

_audit: Final = sys.audit
_BY_PATH: Final = "load_cert_chain load_dh_params load_verify_locations set_default_verify_paths".split()
"""Methods by which OpenSSL opens files."""
_REDIRECTS: Final = re.compile(r"T\S*[IO]")
"""Qhull's TI and TO, which reopen the process's own stdin and stdout; options of one letter can share a word."""
_CLASSES: Final = "ConvexHull Delaunay Voronoi HalfspaceIntersection".split()
_FILES_AT: Final = 13
"""Where ``odr`` takes the names of its two files."""


def keep_openers(natives: Natives) -> None:
    """Ask the audit hook about the descriptor that an opener answers with: no event tells of it."""
    original = vars(io.FileIO)["__init__"]

    def __init__(  # noqa: N807
        self: Any, file: Any, mode: Any = "r", closefd: Any = True, opener: Any = None
    ) -> None:
        original(self, file, mode, closefd, None if opener is None else _asked(opener))

    natives.take_init(io.FileIO, __init__)


def _asked(opener: Any) -> Callable[[Any, int], int]:
    def open_asked(path: Any, flags: int) -> int:
        number = opener(path, flags)
        if type(number) is not int:
            raise TypeError("an opener must return the number of a descriptor")
        _audit("open", number, None, flags)
        return number

    return open_asked


def keep_certificates(natives: Natives) -> Callable[[Any], None]:
    """Return what lets OpenSSL read no files once a script has begun: there is no network to need them."""

    def keep(module: Any) -> None:
        kind = module._ssl._SSLContext
        natives.put(kind, **{name: _before_scripts(vars(kind)[name]) for name in _BY_PATH})

    return keep


def _before_scripts(original: Any) -> Callable[..., Any]:
    def load(self: Any, *args: Any, **options: Any) -> Any:
        if has_begun():
            raise PermissionError("there is no network, so certificates and keys are not read; read a file below DATA")
        return original(self, *args, **options)

    return load


def open_matrices_in_python(module: Any) -> None:
    """Open files for the Matrix Market functions here: their C++ opens any. One thread works at it.

    Where the pool of threads ends before they wait for work, nobody wakes them any more.
    """
    module.PARALLELISM = 1
    core: Any = importlib.import_module(f"{module.__name__}._fmm_core")  # else the first call loads it
    read_stream, write_stream = core.open_read_stream, core.open_write_stream

    def open_read_stream(source: Any, parallelism: int) -> Any:
        return read_stream(io.BytesIO(source.read(-1)), parallelism)

    def open_read_file(path: str, parallelism: int) -> Any:
        with open(path, "rb") as file:
            return open_read_stream(file, parallelism)

    def open_write_file(path: str, *options: Any) -> Any:
        return write_stream(open(path, "wb"), *options)  # the cursor closes it

    core.open_read_stream, core.open_read_file, core.open_write_file = open_read_stream, open_read_file, open_write_file


def keep_regressions(package: Any) -> None:
    """Ask the audit hook about the two reports that ODRPACK's Fortran writes."""
    module: Any = importlib.import_module(f"{package.__name__}._odrpack")
    original = module.odr

    def odr(*args: Any, errfile: Any = None, rptfile: Any = None, **options: Any) -> Any:
        """Low-level function for ODR."""
        if len(args) > _FILES_AT:
            raise TypeError("odr: name the arguments after iprint")
        for name, path in (("errfile", errfile), ("rptfile", rptfile)):
            if path is not None:
                options[name] = _may_write(path)
        return original(*args, **options)

    native: Any = importlib.import_module(f"{package.__name__}.__odrpack")
    package.odr = module.odr = native.odr = odr
    _types.replace(original, odr)


def _may_write(path: Any) -> str:
    """Return the exact path. Fortran leaves out the blanks at its end. Raises PermissionError."""
    if not isinstance(path, str):
        raise TypeError("the name of a file must be a string")
    exact = str.__str__(path).rstrip(" ")
    _audit("open", exact, None, os.O_WRONLY | os.O_CREAT)
    return exact


def keep_hulls(module: Any) -> None:
    """Refuse the options by which Qhull opens files: what it opens as stdin, numpy reads by its number."""
    for kind in map(vars(module).__getitem__, _CLASSES):
        kind.__init__ = _without_redirects(kind.__init__)


def _without_redirects(original: Callable[..., None]) -> Callable[..., None]:
    @instead_of(original)
    def __init__(self: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        original(self, *map(_checked_option, args), **{name: _checked_option(each) for name, each in options.items()})

    return __init__


def _checked_option(value: Any) -> Any:
    if not isinstance(value, (str, bytes)):
        return value
    text = str.__str__(value) if isinstance(value, str) else bytes.decode(value, "latin-1")
    if _REDIRECTS.search(text):
        raise ValueError("Qhull's options TI and TO, which open files, are not available")
    return text


def keep_solvers(module: Any) -> None:
    """Refuse the options by which HiGHS reads and writes files. ``milp`` passes what it does not know on."""
    original = module._highs_wrapper

    def _highs_wrapper(*args: Any) -> Any:
        *data, options = args
        options = {str.__str__(name): value for name, value in dict(options).items()}
        for name in options:
            if "file" in name:
                raise ValueError(f"HiGHS's option {name!r}, which opens a file, is not available")
        return original(*data, options)

    module._highs_wrapper = _highs_wrapper


class _Stream:
    """A file object of somebody else's without its descriptor.

    Native encoders write to whatever number ``fileno`` answers, also to that of the
    protocol: pixels would be a report.
    """

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        if name == "fileno" or name.startswith("_"):  # copy makes one that has no file yet
            raise AttributeError(name)
        return getattr(self._file, name)

    def __repr__(self) -> str:
        return repr(self._file)


def without_descriptor(file: Any) -> Any:
    """Return what stands for a file object, and has no descriptor."""
    return _Stream(file)


def keep_fonts(module: Any) -> None:
    """Give FreeType the bytes of a file object: it copies what ``read`` returns, however few bytes it asked for."""
    original = module.FT2Font.__init__

    @instead_of(original)
    def __init__(self: Any, filename: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        if not isinstance(filename, (str, bytes)):
            filename.seek(0)  # where FreeType begins, wherever the object is: a font that was just written is at its end
            filename = io.BytesIO(filename.read())
        original(self, filename, *args, **options)

    module.FT2Font.__init__ = __init__
