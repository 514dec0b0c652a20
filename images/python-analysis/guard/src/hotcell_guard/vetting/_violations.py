"""Findings of the vetting."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, NamedTuple

    class Violation(NamedTuple):
        """One finding: a stable rule id, 1-based place, and what to do instead."""

        rule: str
        line: int
        column: int
        message: str

else:
    # typing.NamedTuple without importing typing, which takes 3 ms.
    Violation = namedtuple("Violation", ("rule", "line", "column", "message"))

__all__ = ["MAX_VIOLATIONS", "Refused", "Violation"]

MAX_VIOLATIONS: Final = 100
"""Findings in one report; more help nobody and might not fit."""


class Refused(Exception):
    """The code must not run. Holds the findings, sorted by place, without doubles."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        unique = sorted(set(violations), key=lambda found: (found.line, found.column, found.rule, found.message))
        self.violations = unique[:MAX_VIOLATIONS]
        super().__init__("; ".join(found.message for found in self.violations[:3]))
