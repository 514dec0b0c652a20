"""What a library may do while it is loaded, and that it is changed before anybody uses it.

Libraries make classes and set attributes by computed names while they are loaded, some
of them when a script is long under way. Until the script begins all code is the guard's
and the image's, and is trusted. From then on the stack tells nothing: a callback in C (a
logger's, a stream's, a comparison's) runs in the middle of an import, and all frames are
those of libraries. So the target is asked: whether it is of a module that is being
executed now. Nobody but that module's own code has it yet.
"""

from __future__ import annotations

import importlib.machinery
import sys
from types import FunctionType, ModuleType

from hotcell_guard.granting._real import class_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["begin", "has_begun", "is_loading", "is_loading_module", "watch"]

_begun: Final[list[bool]] = []


def begin() -> None:
    """The script begins: what libraries do from now on can be its doing."""
    _begun[:] = [True]


def has_begun() -> bool:
    """Tell whether code of a script may have run."""
    return bool(_begun)


def is_loading(owner: Any) -> bool:
    """Tell whether a class, function or module is of a module that is being executed, or no script has begun."""
    if not _begun:
        return True
    if issubclass(type(owner), type):
        home = class_dict(owner).get("__module__")
    elif type(owner) is FunctionType:
        home = owner.__globals__.get("__name__")
    else:
        home = vars(owner).get("__name__") if type(owner) is ModuleType else None
    if type(owner) is ModuleType and owner is not sys.modules.get(home):  # a view
        return False
    return is_loading_module(home)


def is_loading_module(name: object) -> bool:
    """Tell whether the module of this name, or a package above it, is being executed, or no script has begun."""
    if not _begun:
        return True
    parts = name.split(".") if type(name) is str else []
    return any(_is_initialising(".".join(parts[: end + 1])) for end in range(len(parts)))


def _is_initialising(name: str) -> bool:
    module = sys.modules.get(name)
    return type(module) is ModuleType and bool(getattr(vars(module).get("__spec__"), "_initializing", False))


def watch(loaded: Callable[[str], None]) -> None:
    """Call loaded with the name of each module that has just been executed.

    That is inside the import: no other code has the module yet, whoever imports it and
    from whatever thread.
    """
    for kind in (importlib.machinery.SourceFileLoader, importlib.machinery.ExtensionFileLoader):
        _tell(kind, loaded)


def _tell(kind: Any, loaded: Callable[[str], None]) -> None:
    original = kind.exec_module

    def exec_module(self: Any, module: Any) -> None:
        original(self, module)
        loaded(self.name)

    kind.exec_module = exec_module
