"""The builtins that the run's code is given instead of Python's own."""

from __future__ import annotations

import builtins

from hotcell_guard import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["curated"]

_Module = type(builtins)
_ABSENT = object()


def curated(rules: _rules.Rules, importer: Callable[..., object], opener: Callable[..., object]) -> dict[str, object]:
    """Return the run's builtins: an allow-list, and checking forms of five."""
    table = {name: vars(builtins)[name] for name in _rules.BUILTINS if name in vars(builtins)}
    table |= {"__import__": importer, "open": opener, "__name__": "builtins"}
    table |= _attribute_functions(rules)
    denied = rules.builtins - {"__import__"}  # the import statement calls it
    return {name: value for name, value in table.items() if name not in denied}


def _attribute_functions(rules: _rules.Rules) -> dict[str, object]:
    """Return getattr, setattr and delattr that know the names which are refused."""
    real_get, real_set, real_delete = builtins.getattr, builtins.setattr, builtins.delattr

    def getattr(obj: object, name: str, default: object = _ABSENT, /) -> object:  # noqa: A001
        """Get a named attribute from an object."""
        checked = _checked_name(obj, name, rules)
        return real_get(obj, checked) if default is _ABSENT else real_get(obj, checked, default)

    def setattr(obj: object, name: str, value: object, /) -> None:  # noqa: A001
        """Set a named attribute of an object."""
        real_set(obj, _changed_name(obj, name, rules), value)

    def delattr(obj: object, name: str, /) -> None:  # noqa: A001
        """Delete a named attribute of an object."""
        real_delete(obj, _changed_name(obj, name, rules))

    return {"getattr": getattr, "setattr": setattr, "delattr": delattr}


def _checked_name(obj: object, name: object, rules: _rules.Rules) -> str:
    if not isinstance(name, str):
        raise TypeError("attribute name must be a string")
    exact = str.__str__(name)  # a subclass could change between check and use
    reason = _rules.attribute_refusal(exact, rules)
    if reason is None and exact.startswith("_") and not exact.endswith("__") and isinstance(obj, _Module):
        reason = f"{exact!r} is private; use the public interface of the module"
    if reason is not None:
        raise AttributeError(reason)
    return exact


def _changed_name(obj: object, name: object, rules: _rules.Rules) -> str:
    exact = _checked_name(obj, name, rules)
    if exact.startswith("__") and exact.endswith("__"):
        raise AttributeError(f"the special attribute {exact!r} cannot be changed")
    if isinstance(obj, _Module):
        raise AttributeError("modules cannot be changed")
    return exact
