"""JSON from the host, strictly: UTF-8, no duplicate names, no NaN, nothing behind it."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Object = Callable[[list[tuple[str, object]]], object]

__all__ = ["decode", "plain"]


def plain(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dict of an object's names and values. Raises ValueError for doubles."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("duplicate name")
    return fields


def decode(payload: bytes, make: Object = plain, *, floats: bool = True) -> object:
    """Decode payload, whose objects make builds. Raises ValueError or RecursionError."""
    text = payload.decode("utf-8")
    value = json.loads(
        text, object_pairs_hook=make, parse_constant=_refuse, parse_float=None if floats else _refuse
    )
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate fails here
    return value


def _refuse(text: str) -> object:
    raise ValueError(f"number {text} is not accepted here")
