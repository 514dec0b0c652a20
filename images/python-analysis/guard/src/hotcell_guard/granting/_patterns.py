"""Class patterns with positions: ``case A(x)`` reads what ``A.__match_args__`` names.

The interpreter reads ``__match_args__`` when it comes to the case, and the guard of the
case before it may have changed them. So the pattern gets a class of this module in
place of the script's: it matches the same objects, and its names cannot change.
"""

from __future__ import annotations

from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn

__all__ = ["Patterns"]

_MATCHES_ITSELF: Final = 1 << 22
"""Py_TPFLAGS_MATCH_SELF: the one position of ``int(x)``, and of its subclasses, is the object."""
_CLASS: Final = "(class)"
_ARGS: Final = "__match_args__"
_MAX_KNOWN: Final = 256
_ITSELF: Final = frozenset(map(id, (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)))
_flags: Final = vars(type)["__flags__"].__get__
_name: Final = vars(type)["__name__"].__get__


class _Frozen(type):
    """The class of the stand-ins for the classes of patterns."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, class_dict(cls)[_CLASS])

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise AttributeError("the class of a pattern cannot be changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise AttributeError("the class of a pattern cannot be changed")


class Patterns:
    """Makes the classes for patterns, and keeps those last made.

    refusal tells why a pattern cannot read a name, or returns None.
    """

    def __init__(self, refusal: Callable[[str], str | None]) -> None:
        self._refusal = refusal
        self._known: dict[int, tuple[type, object, type]] = {}

    def frozen(self, kind: Any) -> Any:
        """Return what a positional pattern names in place of kind. Raises TypeError."""
        if not issubclass(type(kind), type) or id(kind) in _ITSELF:
            return kind  # Python itself refuses it, or reads nothing of it
        args = _match_args(kind)
        known = self._known.get(id(kind))
        if known is not None and known[0] is kind and known[1] is args:
            return known[2]
        self._check(args)
        made = _freeze(kind, args)
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        self._known[id(kind)] = kind, args, made
        return made

    def _check(self, args: object) -> None:
        if type(args) is not tuple:
            raise TypeError("this class cannot be used with positional patterns; name the attributes")
        for name in args:
            if type(name) is not str or self._refusal(name) is not None:
                raise TypeError("a positional pattern of this class reads an attribute that is not available")


def _match_args(kind: type) -> object:
    """Return what the class or a base holds itself, past what a metaclass would answer."""
    held = (class_dict(base) for base in mro(kind))
    return next((names[_ARGS] for names in held if _ARGS in names), ())


def _freeze(kind: type, args: object) -> type:
    body: dict[str, object] = {_CLASS: kind}
    if args or not _flags(kind) & _MATCHES_ITSELF:
        return _Frozen(_name(kind), (), {**body, _ARGS: args})
    return _Frozen(_name(kind), (int,), body)
