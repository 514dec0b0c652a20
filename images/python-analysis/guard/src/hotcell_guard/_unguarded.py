"""The guard switched off, for probes of the container: the code has Python whole.

What stays is the protocol, the closed descriptors, the lock and the report. Nothing
of it protects the guard from the code, which can find the protocol's descriptors and
speak for it. The host believes no report.
"""

from __future__ import annotations

import ast
import importlib
import pathlib
import sys

from hotcell_guard.granting import _tables
from hotcell_guard.vetting import _vet
from hotcell_guard.vetting._violations import Refused, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Final

    from hotcell_guard.confining._warmup import Needs
    from hotcell_guard.speaking._start import Preload, Start

__all__ = ["namespace", "needed", "parse"]

_NATIVE: Final = frozenset(
    """
    _asyncio _ctypes _decimal _hashlib _interpchannels _interpqueues _interpreters _lsprof _multiprocessing
    _posixshmem _sqlite3 _ssl _zoneinfo ctypes ctypes.util multiprocessing.shared_memory resource socket
    subprocess termios
    """.split()
)
"""All native code of the standard library besides what ``_warmup`` loads for every
run, and what probes mostly use. Code that finds a module by other means than an
import statement must be held by the container, not by the lack of the module."""


def parse(source: bytes, name: str) -> _vet.Checked:
    """Parse a script and check nothing. Raises Refused for what is no Python."""
    try:
        text = source.decode("utf-8")
        tree = ast.parse(text, name)
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused([Violation("syntax.error", 0, 0, f"the script is not valid Python: {error}")]) from None
    except SyntaxError as error:
        message = f"the script is not valid Python: {error.msg}"
        raise Refused([Violation("syntax.error", error.lineno or 0, error.offset or 0, message)]) from None
    return _vet.Checked(tree, text, name)


def needed(script: Needs) -> frozenset[str]:
    """Return the modules to import before the lock: no list of a policy bounds them.

    A module called __main__ is a program, and this one's own would begin anew.
    """
    return frozenset(name for name in script.modules | _NATIVE if name.rpartition(".")[2] != "__main__")


def namespace(start: Start, inputs: Mapping[str, object]) -> dict[str, Any]:
    """Make the module ``__main__`` of the script, with Python's own builtins."""
    module = type(sys)("__main__")
    names = vars(module)
    if start.bundle_dir:
        names["DATA"] = pathlib.Path(start.bundle_dir)
    names["OUTPUT"] = pathlib.Path(start.output_dir)
    names.update(inputs)
    names.update(_tables.load(start.bundle_dir, start.tables))
    names.update(_preloaded(start.preloaded))
    sys.modules["__main__"] = module
    return names


def _preloaded(modules: Sequence[Preload]) -> dict[str, object]:
    try:
        return {module.name: _preload(module) for module in modules}
    except ImportError as error:
        reason = f"module {error.name!r}, which the policy preloads, cannot be imported in this image"
        raise _tables.ModuleFault(reason) from error


def _preload(module: Preload) -> object:
    loaded = importlib.import_module(module.module)
    return loaded if module.plain else getattr(loaded, module.member)
