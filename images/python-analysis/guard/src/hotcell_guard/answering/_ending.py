"""Runs one script in its namespace, to whatever ends it in good order."""

from __future__ import annotations

import sys

from hotcell_guard.vetting._helpers import KEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from hotcell_guard.vetting._code import Code, Drive
    from hotcell_guard.vetting._helpers import Marker

__all__ = ["Ended", "FinalAnswer", "Kept", "final_answer", "play"]


class FinalAnswer(BaseException):
    """Ends a script with its answer, past every ``except Exception``."""


def final_answer(answer: object = None) -> NoReturn:
    """End the run, with this as its answer."""
    raise FinalAnswer(answer)


class Kept:
    """The value of the script's last statement: of an assignment, or of one in a branch or a loop."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: object = None

    def beside(self, helpers: Mapping[Marker, object], form: str) -> Mapping[Marker, object]:
        """Return the helpers of rewritten code, with the keeper where that form of answer needs it."""
        return {**helpers, KEEP: self.keep} if form == "last" else helpers

    def keep(self, value: Any) -> Any:
        """Keep a value, and pass it on."""
        self.value = value
        return value


class Ended:
    """The value that a script ended with, and whether it said so by final_answer()."""

    __slots__ = ("final", "printed", "value")

    def __init__(self, value: object, final: bool = False) -> None:
        self.value = value
        self.final = final
        self.printed = False  # whether it has written to stdout


def play(code: Code, namespace: dict[str, Any], kept: Kept, drive: Drive) -> Ended:
    """Run a script. What it raises comes out, but for an exit without a code, which is an end like any other."""
    kept.value = None
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # what an earlier script has put there was for itself
    try:
        value, returned = code.run(namespace, drive)
    except FinalAnswer as end:
        values = _member(BaseException, "args", end)
        return Ended(values[0] if values else None, final=True)
    except SystemExit as end:
        if not _is_in_order(_member(SystemExit, "code", end)):
            raise
        return Ended(None)
    if returned:
        return Ended(value, final=value is not None)
    return Ended(kept.value if value is None else value)


def _member(kind: type, name: str, error: BaseException) -> Any:
    """Read what Python itself keeps of an exception, past a class of the script's."""
    return vars(kind)[name].__get__(error)


def _is_in_order(code: object) -> bool:
    """Tell whether Python would end with 0: for every other object it prints it, and ends with 1."""
    return code is None or (isinstance(code, int) and int.__eq__(code, 0) is True)
