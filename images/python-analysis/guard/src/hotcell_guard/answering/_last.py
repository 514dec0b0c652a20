"""What a script merely ended with: the value of its last expression or statement. It costs no script its success."""

from __future__ import annotations

import json
import reprlib

from hotcell_guard.answering._errors import attempt, last_line
from hotcell_guard.answering._result import MAX_REPR, Converter, class_name, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.answering._result import Json

__all__ = ["ended_with", "without_form"]

_SHORT: Final = reprlib.Repr(  # the whole repr of what is too large would be larger still
    maxlevel=8, maxtuple=100, maxlist=100, maxarray=100, maxdict=100, maxset=100, maxfrozenset=100, maxdeque=100,
    maxstring=1000, maxlong=1000, maxother=MAX_REPR,
)  # fmt: skip

_REST: Final = 16
"""One part of so many of a report is left for charts and the list of files."""


def ended_with(form: str, value: object, converter: Converter, warn: Callable[[str], None]) -> Json:
    """Return the JSON form of a value that a script did not name as its answer. May run the script's code.

    What has none that fits is its type and text where form is "last", and else nothing. converter can have an excess then.
    """
    result, error = attempt(lambda: converter.convert(value))
    why = converter.excess or (last_line(error) or class_name(type(error)) if error is not None else _excess(result, converter))
    if not why:
        return None if converter.opaque and form != "last" else result  # a closing plt.plot(...) is no answer
    if form != "last":
        warn(f"the value of the last expression was left out: {why}")
        return None
    warn(f"the value of the last statement is given by its type and the beginning of its text: {why}")
    return _shortened(value)


def without_form(value: object) -> Json:
    """Return the text of a value that JSON would show as if there were none: NaN, an infinity, NaT."""
    text, error = attempt(lambda: str(value))
    return None if error is not None or text is None else clean(text)[:MAX_REPR]


def _excess(result: Json, converter: Converter) -> str:
    """Say why a converted value does not fit: letters take more room than they were charged."""
    size, most = len(json.dumps(result)), converter.limit - converter.limit // _REST
    return "" if size <= most else f"it takes {size} bytes as JSON, and there is room for {most}"


def _shortened(value: object) -> Json:
    text, error = attempt(lambda: str.__str__(_SHORT.repr(value)))  # what it is cut with can be the script's, too
    if error is not None or text is None:
        text = f"<an object whose repr raised {class_name(type(error))}>"
    kind: Any = type(value)
    return {"type": class_name(kind), "text": clean(str.__getitem__(text, slice(MAX_REPR)))}
