"""matplotlib, and what it draws and writes with: FreeType, fontTools."""

from __future__ import annotations

import builtins
import contextlib
import errno
import importlib
import os
import sys
import types

from hotcell_guard.libraries import _matplotlib_natives, _native_files
from hotcell_guard.libraries._changes import generate_before_scripts, joined, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["IMPORTABLE", "changes", "importer", "place_fonts"]

IMPORTABLE: Final = (
    "matplotlib.backends.backend_agg matplotlib.backends.backend_pdf matplotlib.backends.backend_svg "
    "matplotlib.backends.backend_ps matplotlib.backends.backend_template matplotlib.backends.backend_mixed "
    "pandas.plotting._matplotlib plotly"
).split()
"""What libraries may import by a name that a script has given."""

_FONTS: Final = "/usr/share/hotcell/matplotlib"
"""Where the image has the list of its fonts, in a file whose name tells its version."""


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return joined(
        {
            "matplotlib": _salt,
            "matplotlib.animation": put("subprocess", _no_programs()),
            "matplotlib.style.core": put("importlib", _no_packages()),
            "matplotlib.pyplot": put("importlib", importer()),
            "matplotlib.backend_bases": put("importlib", importer()),
            "matplotlib.backends.registry": put("importlib", importer()),
            "matplotlib.ft2font": _native_files.keep_fonts,
            "matplotlib.patheffects": _keep_names,
            "fontTools.ttLib.ttFont": _load_tables_of_fonts,
            "fontTools.ttLib.tables.otConverters": generate_before_scripts,  # it makes functions of text that it wrote
        },
        _matplotlib_natives.changes(),
    )


def _salt(module: Any) -> None:
    """Let the ids in an SVG come from what is drawn: a run that is made again gives the same file."""
    module.rcParams["svg.hashsalt"] = "hotcell"


def _keep_names(module: Any) -> None:
    """Let an effect name what it sets by texts: one of a script's own class could make "set_" another word."""
    original = module.AbstractPathEffect._update_gc

    def _update_gc(self: Any, gc: Any, new_gc_dict: Any) -> Any:
        return original(self, gc, {str.__str__(name): value for name, value in dict(new_gc_dict).items()})

    module.AbstractPathEffect._update_gc = _update_gc


def place_fonts() -> None:
    """Copy the image's list of fonts to where matplotlib looks for its own, before anything imports it.

    Without the list it looks at every font, and writes to stderr where that takes more than
    five seconds. It reads it from no directory that it cannot write to.
    """
    directory = os.environ.get("MPLCONFIGDIR", "")
    if not directory or not os.path.isdir(_FONTS):
        return  # not in the image
    try:
        os.makedirs(directory, exist_ok=True)
        for name in os.listdir(_FONTS):
            with open(f"{_FONTS}/{name}", "rb") as baked:
                _write(f"{directory}/{name}", baked.read())
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise  # else it is a policy's that has next to no scratch, and matplotlib does without


def _write(path: str, content: bytes) -> None:
    """Write a file, or leave none."""
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        raise


def importer() -> types.SimpleNamespace:
    """Return what stands for importlib where rcParams or an option may name a backend."""
    return types.SimpleNamespace(import_module=_import_listed)


def _import_listed(name: str, package: str | None = None) -> object:
    """Import what a library needs; rcParams and options hold names of any module."""
    exact = str.__str__(name)  # a subclass can be equal to every text
    if exact not in IMPORTABLE:
        raise ImportError(f"{exact!r} may not be loaded by name from here", name=exact)
    builtins.__import__(exact)
    return sys.modules[exact]


def _no_programs() -> types.SimpleNamespace:
    """Return what stands for subprocess where films are made: the image has no program for them, and rcParams name any."""

    def Popen(args: Any, *rest: Any, **options: Any) -> NoReturn:  # noqa: N802  # Python's name
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(list(args)[0]))

    return types.SimpleNamespace(Popen=Popen, PIPE=-1, CalledProcessError=OSError)


def _no_packages() -> types.SimpleNamespace:
    """Return what stands for importlib where a style may name a package: ``os.path.x``."""

    def files(package: str) -> NoReturn:
        raise ModuleNotFoundError(f"no style is taken from a package: {package!r}", name=str(package))

    return types.SimpleNamespace(resources=types.SimpleNamespace(files=files))


def _load_tables_of_fonts(module: Any) -> None:
    """Let a font's file name modules of tables: it is what PDF with TrueType is made of (``pdf.fonttype``).

    The library reads them from their package by names that begin with an underscore.
    """
    identifier = module.tagToIdentifier

    def getTableModule(tag: Any) -> Any:  # noqa: N802
        """Fetch the packer/unpacker module for a table."""
        name = str.__str__(identifier(tag))
        if not name.isidentifier():
            return None
        try:
            return importlib.import_module(f"fontTools.ttLib.tables.{name}")
        except ModuleNotFoundError:
            return None

    module.getTableModule = getTableModule
