"""What a script answers: its result as JSON, and its charts, in the form that its policy asks for."""

from __future__ import annotations

import json

from hotcell_guard.answering._errors import attempt
from hotcell_guard.answering._last import ended_with, without_form
from hotcell_guard.answering._result import Converter
from hotcell_guard.answering._sentence import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from hotcell_guard.answering._charts import Figures
    from hotcell_guard.answering._ending import Ended
    from hotcell_guard.answering._result import Json
    from hotcell_guard.speaking._start import Limits

__all__ = ["NO_ANSWER", "Answer", "answer"]

_REST: Final = 16
"""One part of so many of a report is left for what is no answer: the list of files."""


class Answer:
    """A result, its charts, and what is said of them; or why they are larger than a report may be."""

    __slots__ = ("charts", "excess", "result", "warnings")

    def __init__(self, result: Json, charts: list[Json], warnings: list[str], excess: str = "") -> None:
        self.result = result
        self.charts = charts
        self.warnings = warnings
        self.excess = excess


NO_ANSWER: Final = Answer(None, [], [])


def answer(form: str, ended: Ended, namespace: Mapping[str, object], figures: Figures, limits: Limits) -> Answer:
    """Return result and charts, at most the report's bytes. May run the script's code.

    What the script ended with by final_answer() is the result. Else it is the variable
    ``result``, else the last expression's value; where form is "last", the variable is
    one like any other.
    """
    figures.patch()
    if form == "chart":
        return _with_sentence(ended, namespace, figures, limits)
    limit = limits.report_bytes
    chosen = ended.final or (form != "last" and "result" in namespace)
    value = ended.value if ended.final or not chosen else namespace["result"]
    warnings: list[str] = []
    converter = Converter(limit, figures.keep)
    if chosen:
        result, error = attempt(lambda: converter.convert(value))
    else:
        result, error = ended_with(form, value, converter, warnings.append), None
        converter = converter if not converter.excess else Converter(limit, figures.keep)
    charts: list[Json] | None = []
    if error is None:
        charts, error = attempt(lambda: figures.collect(namespace, converter, warnings.append))
    if converter.excess:
        return Answer(None, [], [], converter.excess)
    if error is not None:
        raise error
    if form == "last" and result is None and value is not None:
        result = without_form(value)
    size = len(json.dumps([result, charts]))
    excess = f"result and charts take {size} bytes; the limit is {limit}" if size > limit else ""
    return Answer(result, charts or [], warnings, excess)


def _with_sentence(ended: Ended, namespace: Mapping[str, object], figures: Figures, limits: Limits) -> Answer:
    reader = Reader(limits.report_bytes - limits.report_bytes // _REST, figures.limit, figures.plain)
    meant, value = _meant(ended, namespace)
    given = reader.result(value) if meant else reader.last(value)
    drawn = figures.drawn(namespace, given.charts)
    charts = [chart for chart in given.charts if not figures.is_drawn(chart)]
    shown = figures.shown(namespace, charts)
    if not meant:
        charts = [*(each for each in shown if not any(each is chart for chart in charts)), *charts]
    output = reader.output(given.output, limits.stdout_bytes, meant) if meant or not ended.printed else None
    more = reader.more(given.more) if given.more else {}
    if output is None and not ended.printed and not given.charts:
        output = reader.output(more, limits.stdout_bytes, meant) if more else None  # nothing else says anything
    specs = reader.charts(charts)
    pictures = figures.save(drawn, len(specs), reader.warn)
    result: dict[str, Json] = {**more, **({"output": output} if output is not None else {})}
    if specs:
        result["chart"] = specs[0] if len(specs) == 1 else specs
    return Answer(result or None, pictures, reader.warnings)


def _meant(ended: Ended, namespace: Mapping[str, object]) -> tuple[bool, Any]:
    """Return whether the script has said what its answer is, and what it said or ended with."""
    if ended.final:
        return True, ended.value
    if namespace.get("result") is not None:
        return True, namespace["result"]
    value = ended.value
    return isinstance(value, dict) and ("output" in value or "chart" in value), value
