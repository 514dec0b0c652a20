"""Checks of what the host says: exact names, exact types, numbers within bounds."""

from __future__ import annotations

import re

from hotcell_guard.speaking._protocol import ProtocolFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["DOTTED", "TOOL", "choice", "fields", "names", "number"]

DOTTED: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
TOOL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]{0,63}\Z")
_EMPTY: Final[Mapping[type, object]] = {list: [], str: ""}


def fields(value: object, shape: Mapping[str, type], where: str) -> dict[str, object]:
    """Check names and types. Go encodes an empty slice, also one of bytes, as null."""
    if not isinstance(value, dict):
        raise ProtocolFault(f"{where} is not an object")
    if value.keys() != shape.keys():
        raise ProtocolFault(f"{where} has unknown or missing names: {sorted(value.keys() ^ shape.keys())}")
    found: dict[str, object] = {}
    for name, kind in shape.items():
        null = value[name] is None and (kind is list or name == "seccomp")
        field = _EMPTY[kind] if null else value[name]
        if type(field) is not kind:
            raise ProtocolFault(f"{where}.{name} is not of type {kind.__name__}")
        found[name] = field
    return found


def number(value: object, where: str, lowest: int, highest: int) -> int:
    """Return a number within its bounds."""
    if not isinstance(value, int) or not lowest <= value <= highest:
        raise ProtocolFault(f"{where} is not between {lowest} and {highest}")
    return value


def choice(value: object, choices: frozenset[str], where: str) -> str:
    """Return one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ProtocolFault(f"{where} is none of {', '.join(sorted(choices))}")
    return value


def names(value: object, where: str) -> list[str]:
    """Return a list of dotted names."""
    found = value if isinstance(value, list) else []
    for name in found:
        if not isinstance(name, str) or not DOTTED.match(name):
            raise ProtocolFault(f"{where} holds {name!r}, which is not a dotted name")
    return found
