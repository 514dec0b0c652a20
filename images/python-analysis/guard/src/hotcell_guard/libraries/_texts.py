"""``str.format`` of every text of this process.

Libraries format the script's text, too (``Axes.bar_label(fmt=...)``), and nobody lists all
places. So the method is replaced in ``str`` itself: whoever calls it calls the checking
form. What a library formats by a constant of the function that does it is its own text.
"""

from __future__ import annotations

import sys

from hotcell_guard.granting._format import FORMAT, FORMAT_MAP, Formatter, exact_text
from hotcell_guard.vetting import _fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType
    from typing import Final

    from hotcell_guard.granting._format import Getter
    from hotcell_guard.libraries._natives import Natives
    from hotcell_guard.vetting import _rules

__all__ = ["guard_texts"]

_MAX_KNOWN: Final = 2048
_MAX_TEXT: Final = 1024
"""Templates of which the verdict is kept, and their characters."""


def guard_texts(natives: Natives, rules: _rules.Rules, get: Getter, table: dict[str, object]) -> None:
    """Replace ``format`` and ``format_map`` of every text of this process by their checking forms.

    get is the run's getattr, table its builtins: a frame that has them runs the script.
    """
    plain: set[str] = set()

    def format(self: str, /, *args: object, **kwargs: object) -> str:  # noqa: A001
        """Return a formatted version of the string, using substitutions from the arguments."""
        if type(self) is str and self in plain:
            return FORMAT(self, *args, **kwargs)
        exact = exact_text(self)
        if _is_own_text(exact, sys._getframe(1), table) or _is_known_plain(exact, plain, rules):
            return FORMAT(exact, *args, **kwargs)
        return Formatter(get).vformat(exact, args, kwargs)

    def format_map(self: str, mapping: Mapping[str, object], /) -> str:
        """Return a formatted version of the string, using substitutions from mapping."""
        exact = exact_text(self)
        if _is_own_text(exact, sys._getframe(1), table) or _is_known_plain(exact, plain, rules):
            return FORMAT_MAP(exact, mapping)
        return Formatter(get).vformat(exact, (), mapping)

    natives.put(str, format=format, format_map=format_map)


def _is_own_text(text: str, frame: FrameType, table: dict[str, object]) -> bool:
    """Tell whether a library's function formats a constant of its own."""
    return frame.f_builtins is not table and any(type(each) is str and each == text for each in frame.f_code.co_consts)


def _is_known_plain(text: str, plain: set[str], rules: _rules.Rules) -> bool:
    if not _fields.is_checked_plain(text, rules):
        return False
    if len(text) <= _MAX_TEXT:
        if len(plain) >= _MAX_KNOWN:
            plain.clear()
        plain.add(text)
    return True
