"""``str.format`` for the script: the fields of a format string read attributes.

The builtin asks nobody, so ``"{0.__globals__}".format(f)`` reads what no attribute
expression could (CVE-2023-41039). What a run gets instead looks at the fields of the
exact string first; a string cannot change between that look and its use.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]  # typeshed leaves it out
import string
from collections import UserString

from hotcell_guard.vetting import _fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from hotcell_guard.vetting import _rules

    Getter = Callable[[object, str], object]

__all__ = ["FORMAT", "FORMAT_MAP", "Formatter", "checked", "exact_text"]

_Bound = type("".format)
_Method = type(UserString("").format)
FORMAT: Final = str.format
FORMAT_MAP: Final = str.format_map
"""Python's own, from before they were replaced."""
_RAW: Final = {str.format: False, str.format_map: True}
_USER: Final = {UserString.format: False, UserString.format_map: True}


class Formatter(string.Formatter):
    """Formats one template; its fields read attributes through get."""

    def __init__(self, get: Getter) -> None:
        self._get = get
        self._next = 0  # of the fields without a number

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        """Return the object that a field names, as ``str.format`` finds it."""
        first, rest = _string.formatter_field_name_split(field_name)
        if first == "":
            first, self._next = self._next, self._next + 1
        value = self.get_value(first, args, kwargs)
        for is_attribute, name in rest:
            value = self._get(value, name) if is_attribute else value[name]
        return value, first


def checked(value: object, rules: _rules.Rules, get: Getter) -> object:
    """Return value, or its safe form when it is the format method of a text."""
    kind = type(value)
    if kind is _Bound and isinstance(value.__self__, str):  # type: ignore[attr-defined]
        return _bound(value.__self__, value.__name__ == "format_map", rules, get)  # type: ignore[attr-defined]
    if kind is _Method and value.__func__ in _USER:  # type: ignore[attr-defined]
        return _bound(exact_text(value.__self__), _USER[value.__func__], rules, get)  # type: ignore[attr-defined]
    for table in (_RAW, _USER):
        for raw, mapped in table.items():
            if value is raw:
                return _unbound(mapped, rules, get)
    return value


def _bound(text: str, mapped: bool, rules: _rules.Rules, get: Getter) -> Callable[..., str]:
    exact = str.__str__(text)

    def format(*args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        if _fields.is_checked_plain(exact, rules):
            return FORMAT(exact, *args, **kwargs)
        return Formatter(get).vformat(exact, args, kwargs)

    def format_map(mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        if _fields.is_checked_plain(exact, rules):
            return FORMAT_MAP(exact, mapping)
        return Formatter(get).vformat(exact, (), mapping)

    return format_map if mapped else format


def _unbound(mapped: bool, rules: _rules.Rules, get: Getter) -> Callable[..., str]:
    def format(self: str, /, *args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        return _bound(exact_text(self), False, rules, get)(*args, **kwargs)

    def format_map(self: str, mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        return _bound(exact_text(self), True, rules, get)(mapping)

    return format_map if mapped else format


def exact_text(value: object) -> str:
    """Return the text of value as an exact string: a subclass could be equal to every text."""
    if issubclass(type(value), UserString):
        value = value.data  # type: ignore[attr-defined]
    if not issubclass(type(value), str):
        raise TypeError("descriptor 'format' requires a 'str' object")
    return str.__str__(value)
