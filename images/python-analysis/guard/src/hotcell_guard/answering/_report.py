"""The report frame: the last word, within its limit."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotcell_guard.answering._errors import Error
    from hotcell_guard.answering._result import Json
    from hotcell_guard.vetting._violations import Refused, Violation

__all__ = ["Report"]


class Report:
    """How the run ended. Fields as in the host's ``wire.Report``."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome
        self.error: Error | None = None
        self.limit = ""
        self.violations: Sequence[Violation] = ()
        self.result: Json = None
        self.charts: Sequence[Json] = ()
        self.files: Sequence[dict[str, str | int]] = ()
        self.truncated = {"stdout": False, "stderr": False}

    @classmethod
    def rejected(cls, refused: Refused) -> Report:
        """Return the report of a script that must not run."""
        report = cls("rejected")
        report.violations = refused.violations
        return report

    def encode(self) -> bytes:
        """Return the payload: ASCII JSON without NaN, duplicates or surrogates."""
        return json.dumps(
            {
                "outcome": self.outcome,
                "error": self.error,
                "limit": self.limit,
                "violations": [found._asdict() for found in self.violations],
                "result": self.result,
                "charts": list(self.charts),
                "files": list(self.files),
                "truncated": self.truncated,
            },
            allow_nan=False,
            separators=(",", ":"),
        ).encode("ascii")
