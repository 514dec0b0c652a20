"""``str.format`` for the script: the fields of a format string read attributes.

The builtin asks nobody, so ``"{0.__globals__}".format(f)`` reads what no attribute
expression could (CVE-2023-41039). What a run gets instead looks at the fields of the
exact string first; a string cannot change between that look and its use.

Libraries format the script's text, too (``Axes.bar_label(fmt=...)``), and nobody lists all
places. So the method is replaced in ``str`` itself: whoever calls it calls the checking
form. What a library formats by a constant of the function that does it is its own text.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]  # typeshed leaves it out
import string
import sys
from collections import UserString

from hotcell_guard import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType
    from typing import Any, Final

    from hotcell_guard._natives import Natives

    Getter = Callable[[object, str], object]

__all__ = ["FORMAT_NAMES", "checked", "field_attributes", "guard_texts", "is_checked_plain", "is_plain"]

FORMAT_NAMES: Final = frozenset(("format", "format_map"))

_MAX_NESTING: Final = 2
"""Levels of fields that ``str.format`` itself evaluates."""

_Bound = type("".format)
_Method = type(UserString("").format)
_FORMAT: Final = str.format
_FORMAT_MAP: Final = str.format_map
"""Python's own, from before they were replaced."""
_MAX_KNOWN: Final = 2048
_MAX_TEXT: Final = 1024
"""Templates of which the verdict is kept, and their characters."""
_RAW: Final = {str.format: False, str.format_map: True}
_USER: Final = {UserString.format: False, UserString.format_map: True}


def field_attributes(template: str, depth: int = _MAX_NESTING) -> Iterator[str]:
    """Yield the attribute names that the fields of a format string read.

    What is no format string ends the list: ``format`` itself raises there.
    """
    try:
        for _, field, nested, _ in _string.formatter_parser(template):
            if field:
                for is_attribute, name in _string.formatter_field_name_split(field)[1]:
                    if is_attribute:
                        yield name
            if nested and depth:
                yield from field_attributes(nested, depth - 1)
    except ValueError:
        return


def is_plain(template: str) -> bool:
    """Tell whether no attribute that the fields read depends on the object."""
    return not any(
        _rules.is_private(name) or name in _rules.GUARDED_ATTRIBUTES for name in field_attributes(template)
    )


class _Formatter(string.Formatter):
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


def guard_texts(natives: Natives, rules: _rules.Rules, get: Getter, table: dict[str, object]) -> None:
    """Replace ``format`` and ``format_map`` of every text of this process by their checking forms.

    get is the run's getattr, table its builtins: a frame that has them runs the script.
    """
    plain: set[str] = set()

    def format(self: str, /, *args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        if type(self) is str and self in plain:
            return _FORMAT(self, *args, **kwargs)
        exact = _text(self)
        if _is_own_text(exact, sys._getframe(1), table) or _is_known_plain(exact, plain, rules):
            return _FORMAT(exact, *args, **kwargs)
        return _Formatter(get).vformat(exact, args, kwargs)

    def format_map(self: str, mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        exact = _text(self)
        if _is_own_text(exact, sys._getframe(1), table) or _is_known_plain(exact, plain, rules):
            return _FORMAT_MAP(exact, mapping)
        return _Formatter(get).vformat(exact, (), mapping)

    natives.put(str, format=format, format_map=format_map)


def _is_own_text(text: str, frame: FrameType, table: dict[str, object]) -> bool:
    """Tell whether a library's function formats a constant of its own."""
    return frame.f_builtins is not table and any(type(each) is str and each == text for each in frame.f_code.co_consts)


def _is_known_plain(text: str, plain: set[str], rules: _rules.Rules) -> bool:
    if not is_checked_plain(text, rules):
        return False
    if len(text) <= _MAX_TEXT:
        if len(plain) >= _MAX_KNOWN:
            plain.clear()
        plain.add(text)
    return True


def checked(value: object, rules: _rules.Rules, get: Getter) -> object:
    """Return value, or its safe form when it is the format method of a text."""
    kind = type(value)
    if kind is _Bound and isinstance(value.__self__, str):  # type: ignore[attr-defined]
        return _bound(value.__self__, value.__name__ == "format_map", rules, get)  # type: ignore[attr-defined]
    if kind is _Method and value.__func__ in _USER:  # type: ignore[attr-defined]
        return _bound(_text(value.__self__), _USER[value.__func__], rules, get)  # type: ignore[attr-defined]
    for table in (_RAW, _USER):
        for raw, mapped in table.items():
            if value is raw:
                return _unbound(mapped, rules, get)
    return value


def _bound(text: str, mapped: bool, rules: _rules.Rules, get: Getter) -> Callable[..., str]:
    exact = str.__str__(text)

    def format(*args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        if is_checked_plain(exact, rules):
            return _FORMAT(exact, *args, **kwargs)
        return _Formatter(get).vformat(exact, args, kwargs)

    def format_map(mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        if is_checked_plain(exact, rules):
            return _FORMAT_MAP(exact, mapping)
        return _Formatter(get).vformat(exact, (), mapping)

    return format_map if mapped else format


def _unbound(mapped: bool, rules: _rules.Rules, get: Getter) -> Callable[..., str]:
    def format(self: str, /, *args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        return _bound(_text(self), False, rules, get)(*args, **kwargs)

    def format_map(self: str, mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        return _bound(_text(self), True, rules, get)(mapping)

    return format_map if mapped else format


def _text(value: object) -> str:
    if issubclass(type(value), UserString):
        value = value.data  # type: ignore[attr-defined]
    if not issubclass(type(value), str):
        raise TypeError("descriptor 'format' requires a 'str' object")
    return str.__str__(value)  # exact: a subclass could be equal to every text


def is_checked_plain(text: str, rules: _rules.Rules) -> bool:
    """Tell whether ``str.format`` itself may run. Raises AttributeError for fields that may not be read."""
    for name in field_attributes(text):
        reason = _rules.attribute_refusal(name, rules)
        if reason is not None:
            raise AttributeError(reason)
    return is_plain(text)
