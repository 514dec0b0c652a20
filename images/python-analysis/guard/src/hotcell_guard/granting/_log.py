"""The log of a workflow's step, which is what it prints."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["Log"]

_LEVELS: Final = ("debug", "info", "warning", "error", "critical")
_PLACES: Final = re.compile("%[sd]")


class Log:
    """Writes lines of the step's log, which is its standard output: the level, then the text."""

    __slots__ = ()

    def __call__(self, *words: object, level: str = "info", **fields: object) -> None:
        """Write a line. Of several words the first can be the level: ``context.log("warning", "two rows lack a date")``."""
        if len(words) > 1 and type(words[0]) is str and words[0].lower() in _LEVELS:
            level, words = words[0], words[1:]
        if not isinstance(level, str) or str.__str__(level).lower() not in _LEVELS:
            raise ValueError(f"the level of a line is one of {', '.join(_LEVELS)}, not {level!r:.80}")
        told = [*_filled(words), *(f"{name}={value}" for name, value in fields.items())]
        print(str.__str__(level).upper(), *told)

    def debug(self, *words: object, **fields: object) -> None:
        """Write a line of level debug."""
        self(*words, **{**fields, "level": "debug"})  # type: ignore[arg-type]

    def info(self, *words: object, **fields: object) -> None:
        """Write a line of level info."""
        self(*words, **{**fields, "level": "info"})  # type: ignore[arg-type]

    def warning(self, *words: object, **fields: object) -> None:
        """Write a line of level warning."""
        self(*words, **{**fields, "level": "warning"})  # type: ignore[arg-type]

    def error(self, *words: object, **fields: object) -> None:
        """Write a line of level error."""
        self(*words, **{**fields, "level": "error"})  # type: ignore[arg-type]

    exception = error

    def critical(self, *words: object, **fields: object) -> None:
        """Write a line of level critical."""
        self(*words, **{**fields, "level": "critical"})  # type: ignore[arg-type]


def _filled(words: tuple[object, ...]) -> tuple[object, ...]:
    """Return what is written: a first word with places for the others is filled in, as by logging."""
    first = words[0] if words else None
    if len(words) < 2 or type(first) is not str or first.count("%s") + first.count("%d") != len(words) - 1:
        return words
    parts = _PLACES.split(first)
    texts = [parts[0]]
    for word, part in zip(words[1:], parts[1:]):
        texts += [str(word), part]
    return ("".join(texts),) if len(parts) == len(words) else words
