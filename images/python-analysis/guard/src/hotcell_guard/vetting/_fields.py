"""The fields of a format string: they read attributes, by a spelling that no expression shows."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]  # typeshed leaves it out

from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

__all__ = ["FORMAT_NAMES", "field_attributes", "is_checked_plain", "is_plain"]

FORMAT_NAMES: Final = frozenset(("format", "format_map"))

_MAX_NESTING: Final = 2
"""Levels of fields that ``str.format`` itself evaluates."""


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


def is_checked_plain(text: str, rules: _rules.Rules) -> bool:
    """Tell whether ``str.format`` itself may run. Raises AttributeError for fields that may not be read."""
    for name in field_attributes(text):
        reason = _rules.attribute_refusal(name, rules)
        if reason is not None:
            raise AttributeError(reason)
    return is_plain(text)
