"""The one template that scipy makes functions of: its text is compiled as scipy wrote it.

A subclass of a distribution can put any text in the template's place. What is compiled
here matches scipy's own template word for word, but for names and defaults.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Final

__all__ = ["Template"]

_FIELDS: Final = {
    "shape_arg_str": r"(?:[^\W\d]\w*, )*",
    "locscale_in": r"loc=0(?:, scale=1)?",
    "locscale_out": r"loc, (?:scale|1)",
}


class Template:
    """scipy's template for a distribution's parsers of arguments."""

    def __init__(self, text: str) -> None:
        pattern = re.escape(text)
        for name, field in _FIELDS.items():
            pattern = pattern.replace(re.escape(f"%({name})s"), field)
        self._pattern = re.compile(pattern)

    def compile(self, text: object) -> CodeType:
        """Compile what the template gave. Raises PermissionError for any other text."""
        if type(text) is not str or self._pattern.fullmatch(text) is None:
            raise PermissionError("a distribution cannot bring a template of its own")
        return compile(text, "<template>", "exec")
