"""Warnings as the script's reader sees them: without the guard's own lines.

What is warned about while the guard saves a figure, or with a ``stacklevel`` that
leads out of the script, would else name a file of the guard and quote its source.
"""

from __future__ import annotations

import os
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

__all__ = ["install", "restore"]

_OWN: Final = os.path.dirname(os.path.dirname(__file__)) + "/"

_in_force: Final = [warnings.formatwarning]
"""How warnings are printed: as Python does until ``install``."""


def install(sources: Mapping[str, Sequence[str]]) -> None:
    """Make warnings show the scripts' lines and hide the guard's. Filters stay as they are."""
    original = _in_force[0]

    def formatwarning(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
    ) -> str:
        """Format a warning to print to a file."""
        if str(filename).startswith(_OWN):
            return f"{category.__name__}: {message}\n"
        lines = sources.get(filename, ())
        if line is None and 0 < lineno <= len(lines):
            line = lines[lineno - 1]
        return original(message, category, filename, lineno, line)

    _in_force.append(formatwarning)
    restore()


def restore() -> None:
    """Print warnings as before a library was imported that prints everybody's in its own way."""
    warnings.formatwarning = _in_force[-1]
