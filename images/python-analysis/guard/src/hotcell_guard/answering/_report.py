"""The report frame: the last word, within its limit."""

from __future__ import annotations

import json

from hotcell_guard.answering import _errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType
    from typing import Any, Final

    from hotcell_guard.answering._errors import Error
    from hotcell_guard.answering._result import Json
    from hotcell_guard.vetting._violations import Refused, Violation

__all__ = ["Report", "fitting", "guard_failed", "spent"]


_SHORT: Final = 256
"""Characters of an error's message that any report has room for."""


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
        self.warnings: Sequence[str] = ()
        self.truncated = {"stdout": False, "stderr": False}

    @classmethod
    def rejected(cls, refused: Refused) -> Report:
        """Return the report of a script that must not run."""
        report = cls("rejected")
        report.violations = refused.violations
        return report

    def exceed(self, words: str) -> None:
        """Make it the report of a script whose answer is larger than a report may be."""
        self._exceeded("report", "ResultTooLargeError", words)

    def overflow(self, words: str) -> None:
        """Make it the report of a script that left more files than a report can list."""
        self.files = []
        self._exceeded("files", "TooManyFilesError", words)

    def _exceeded(self, limit: str, kind: str, words: str) -> None:
        self.outcome, self.result, self.charts = "raised", None, []
        self.limit, self.error = limit, _errors.fault(kind, words)

    def shorten(self) -> None:
        """Leave out what the end of the script can be told without: files of one that failed, all findings but the first."""
        self.files, self.warnings, self.violations = [], [], self.violations[:1]
        if self.error:
            self.error["traceback"] = ""
            self.error["message"] = str(self.error["message"])[:_SHORT]

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
                "warnings": list(self.warnings),
                "truncated": self.truncated,
            },
            allow_nan=False,
            separators=(",", ":"),
        ).encode("ascii")


def spent(
    budget: str, most: int, frame: FrameType | None, sources: Mapping[str, Sequence[str]], namespace: dict[str, Any]
) -> Report:
    """Return the report of a script that has used up a budget, at that frame."""
    counted = budget.replace("_", " ")
    message = f"the script has used up its {most} {counted}; replace loops by operations on whole arrays or tables"
    report = Report("raised")
    report.limit = budget
    report.error = _errors.stopped("BudgetUsedUpError", message, frame, sources, namespace)
    return report


def guard_failed(fault: Exception) -> Report:
    """Return the report of a guard that cannot go on, though nothing is wrong with it."""
    report = Report("guard_failed")
    report.error = _errors.fault(type(fault).__name__, str(fault))
    return report


def fitting(report: Report, limit: int) -> bytes:
    """Encode the report; with less in it where it is larger than limit bytes.

    How the script has ended stays what it is, but for a script that has completed: of that all has to be told.
    """
    payload = report.encode()
    taken = len(payload)
    if taken > limit and report.outcome == "completed":
        listed = len(report.files)
        report.exceed(f"result, charts and file list take {taken} bytes; the limit is {limit}")
        payload = report.encode()
        if len(payload) > limit and listed:
            report.overflow(
                f"the list of the {listed} files that the script has left takes {taken} bytes; the limit is {limit}: leave fewer"
            )
            payload = report.encode()
    if len(payload) > limit:
        report.shorten()
        payload = report.encode()
    if len(payload) > limit:
        raise ValueError(f"the limit of {limit} bytes is less than any report takes: the policy's report must be higher")
    return payload
