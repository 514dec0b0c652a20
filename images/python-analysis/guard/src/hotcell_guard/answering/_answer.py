"""What a script answers: its result as JSON, and its charts."""

from __future__ import annotations

import json

from hotcell_guard.answering._result import Converter, ResultTooLargeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hotcell_guard.answering._charts import Figures
    from hotcell_guard.answering._result import Json

    Answer = tuple[Json, list[Json]]

__all__ = ["NO_ANSWER", "answer"]

NO_ANSWER: Answer = (None, [])


def answer(namespace: Mapping[str, object], last: object, figures: Figures, limit: int, returned: bool = False) -> Answer:
    """Return result and charts, at most limit bytes. May run the script's code.

    The result is last if the script has returned it, and it is not None; else the
    variable ``result``, else last, the last expression's value.
    """
    figures.patch()
    converter = Converter(limit, figures.keep)
    returned = returned and last is not None
    chosen = returned or "result" in namespace
    result = converter.convert(namespace["result"] if chosen and not returned else last)
    if converter.opaque and not chosen:
        result = None  # the line list of a closing plt.plot(...) is no answer
    charts = figures.collect(namespace, converter)
    size = len(json.dumps([result, charts]))
    if size > limit:
        raise ResultTooLargeError(f"result and charts take {size} bytes; the limit is {limit}")
    return result, charts
