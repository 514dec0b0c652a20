"""From bytes to one checked text.

What is refused here could be read differently by a person, by the checker and by the
interpreter.
"""

from __future__ import annotations

import re

from hotcell_guard.vetting._violations import Refused, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["decode"]

# PEP 263, over the first two lines.
_COOKIE: Final = re.compile(r"\A(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_UTF8: Final = frozenset(("utf-8", "utf8"))
# A line ends for Python at a bare carriage return, for most editors it does not; a form
# feed sets the indentation back to 0.
_CONTROL: Final = re.compile("\r(?!\n)|[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Trojan Source, CVE-2021-42574: text that is shown in another order than it runs.
_BIDI: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")


def decode(source: bytes) -> str:
    """Decode the script. Raises Refused."""
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        _refuse("source.encoding", line, 1, "the script is not valid UTF-8; save it as UTF-8")
    if text.startswith("\ufeff"):
        _refuse("source.bom", 1, 1, "the script begins with a byte order mark; save it as UTF-8 without BOM")
    if "\0" in text:
        _refuse("source.nul", *_place(text, text.index("\0")), "the script holds a NUL character; remove it")
    control = _CONTROL.search(text)
    if control:
        escape = f"\\x{ord(control[0][0]):02x}"
        advice = f"a control character is not shown as it runs; remove it, or write {escape} in the text"
        _refuse("source.control", *_place(text, control.start()), advice)
    bidi = _BIDI.search(text)
    if bidi:
        advice = f"write \\u{ord(bidi[0]):04x} instead of the invisible character itself"
        _refuse("source.bidi", *_place(text, bidi.start()), advice)
    cookie = _COOKIE.match(text)
    if cookie and cookie[1].lower() not in _UTF8:
        _refuse("source.coding", *_place(text, cookie.start(1)), "only UTF-8 is read; remove the coding comment")
    return text


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _refuse(rule: str, line: int, column: int, message: str) -> None:
    raise Refused([Violation(rule, line, column, message)])
