"""The builtins that the run's code is given instead of Python's own.

All checking forms are plain functions and safe however they are called: by a
decorator, an operator, ``map`` or a metaclass. What they hold is in their closures.
"""

from __future__ import annotations

import builtins
import sys

from hotcell_guard.granting import _classes, _imports, _types
from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.granting._namespace import Names
from hotcell_guard.vetting import _advice, _helpers, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType, ModuleType
    from typing import Any, Final, NoReturn

__all__ = ["curated", "leave", "own_module"]

_ABSENT: Final = object()
_SHOWN_SPECIAL: Final = frozenset(("__name__", "__doc__"))
"""Special names of the script's module that are shown with its variables."""


def curated(
    rules: _rules.Rules,
    importer: Callable[..., object],
    opener: Callable[..., object],
    attributes: Attributes | None = None,
    home: dict[str, Any] | None = None,
) -> dict[str, object]:
    """Return the run's builtins: an allow-list, and checking forms of the guarded ones.

    attributes is shared with what else reads attributes for the script; home is the
    namespace of the script, whose frames may ask for their variables.
    """
    attributes = attributes or Attributes(rules)
    table = attributes.builtins
    table |= {name: vars(builtins)[name] for name in _rules.BUILTINS if name in vars(builtins)}
    table |= _access_functions(attributes) | _listing_functions(attributes, rules, home) | {"exit": leave, "quit": leave}
    table |= {"__import__": importer, "open": opener, "type": _types.stand_in(type), "__name__": "builtins"}
    if "__import__" not in rules.builtins:
        table[_helpers.IMPORT] = _imports.by_name(importer)
    table["input"] = attributes.streams.asking(_advice.instead_of_input(rules))
    for name in rules.builtins - {"__import__"}:  # the import statement calls it
        table.pop(name, None)
    table["__build_class__"] = _classes.builder(attributes.ownership)
    return table


def _access_functions(attributes: Attributes) -> dict[str, object]:
    """Return the functions that get, set and delete by name."""
    read, write, delete, public = attributes.read, attributes.write, attributes.delete, attributes.public
    real_get, real_has, absent = builtins.getattr, builtins.hasattr, _ABSENT

    def getattr(obj: object, name: str, default: object = absent, /) -> object:  # noqa: A001
        """Get a named attribute from an object."""
        if type(name) is str and name in public:  # without a further call
            return real_get(obj, name) if default is absent else real_get(obj, name, default)
        return read(obj, name) if default is absent else read(obj, name, default)

    def setattr(obj: object, name: str, value: object, /) -> None:  # noqa: A001
        """Set a named attribute of an object."""
        write(obj, name, value)

    def delattr(obj: object, name: str, /) -> None:  # noqa: A001
        """Delete a named attribute of an object."""
        delete(obj, name)

    def hasattr(obj: object, name: str, /) -> bool:  # noqa: A001
        """Return whether the object has an attribute with the given name."""
        if type(name) is str and name in public:
            return real_has(obj, name)
        try:
            read(obj, name)
        except AttributeError:
            return False
        return True

    return {"getattr": getattr, "setattr": setattr, "delattr": delattr, "hasattr": hasattr}


def _listing_functions(attributes: Attributes, rules: _rules.Rules, home: dict[str, Any] | None) -> dict[str, object]:
    """Return vars, dir, globals and locals."""
    own = {} if home is None else home

    def vars(*args: Any) -> Any:  # noqa: A001
        """Return the attributes of an object as a dict, without one the local variables."""
        if args:
            return attributes.namespace(*args)
        if "locals" in rules.builtins:
            raise TypeError("vars() without an object is not available; name the variables themselves")
        return _copied(sys._getframe(1), own, whole=False)

    def dir(*args: Any) -> list[str]:  # noqa: A001
        """Return the names of an object's attributes, without one those of the local variables."""
        if not args:
            return sorted(name for name in _local(sys._getframe(1)) if name.isidentifier())
        return attributes.names(*args)

    def globals() -> dict[str, Any]:  # noqa: A001
        """Return the script's global variables: a copy."""
        return _copied(sys._getframe(1), own, whole=True)

    def locals() -> dict[str, Any]:  # noqa: A001
        """Return the local variables: a copy."""
        return _copied(sys._getframe(1), own, whole=False)

    return {"vars": vars, "dir": dir, "globals": globals, "locals": locals}


def _copied(frame: FrameType, own: dict[str, object], *, whole: bool) -> dict[str, Any]:
    """Return the names of a frame of the script's, without what no script can name. A library's frame tells nothing.

    Nor does one of text that a library evaluates with the script's builtins: its variables are the library's.
    """
    if frame.f_globals is not own:
        raise TypeError("only the script itself can ask for its variables")
    found = frame.f_globals if whole else _local(frame)
    return Names((name, value) for name, value in found.items() if _is_shown(name))


def own_module(home: dict[str, Any]) -> ModuleType:
    """Return the script's module as it may look at it: its variables as they are, and nothing else. It cannot be changed."""
    module = type(sys)("__main__", None)

    def __getattr__(name: str) -> Any:
        if name in home and _is_shown(name):
            return home[name]
        raise AttributeError(f"module '__main__' has no attribute {name!r}", name=name)

    def __dir__() -> list[str]:
        return sorted(name for name in home if _is_shown(name))

    for name in ("__loader__", "__spec__", "__package__", "__doc__"):
        vars(module).pop(name, None)
    vars(module).update(__getattr__=__getattr__, __dir__=__dir__)
    return module


def _local(frame: FrameType) -> Mapping[str, Any]:
    """Return the variables of a frame. A script's own level can be the body of a function whose names are global."""
    return frame.f_globals if frame.f_code.co_name == "<module>" else frame.f_locals


def _is_shown(name: object) -> bool:
    return type(name) is str and name.isidentifier() and (not _rules.is_dunder(name) or name in _SHOWN_SPECIAL)


def leave(code: object = None) -> NoReturn:
    """End the run."""
    raise SystemExit(code)
