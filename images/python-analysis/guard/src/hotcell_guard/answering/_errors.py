"""An exception of the run's code as the report tells it: the script's frames only."""

from __future__ import annotations

from types import TracebackType

from hotcell_guard.answering._nearby import without_installing
from hotcell_guard.answering._result import class_name, clean
from hotcell_guard.speaking._streams import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType
    from typing import Any, Final

    Error = dict[str, str | int]
    Sources = Mapping[str, Sequence[str]]
    Place = tuple[str, int, str]  # script, line, function
    Entry = tuple[str, int, str, str]  # and the line's text

__all__ = [
    *("advise", "attempt", "describe", "entry_text", "fault", "last_line", "notes", "number", "stopped", "teller"),
    *("whole_text", "with_notes"),
]

MAX_MESSAGE: Final = 4 << 10
MAX_FRAMES: Final = 20
"""Frames shown; of more, the first and the last half."""

_MAX_LINE: Final = 400
_MAX_CAUSES: Final = 4
"""Exceptions shown that came before the one that reached the top."""
_MAX_NOTES: Final = 20
"""Notes shown of one exception."""
_CAUSE: Final = "\n\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT: Final = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
_NOT_THERE: Final = (ImportError, ModuleNotFoundError)


def attempt[T](function: Callable[[], T]) -> tuple[T | None, BaseException | None]:
    """Call what may run the script's code and return its value or its exception.

    This is the one place that catches everything: any exception of the script,
    also one of its own making that is no Exception, ends the run in good order.
    """
    try:
        return function(), None
    except BaseException as error:  # pylint: disable=broad-exception-caught
        return None, error


def describe(error: BaseException, sources: Sources, namespace: Mapping[str, object]) -> Error:
    """Return the report's form of an exception that reached the top.

    sources holds the lines of every script that ran in namespace, by its name.
    """
    name, text = class_name(type(error)), _text(error)
    places = _raised_at(error.__traceback__, namespace)
    return {
        "type": name,
        "message": text,
        "line": places[-1][1] if places else 0,
        "traceback": _before(error, sources, namespace) + _whole(places, sources, name, text),
        "errno": number(error),
    }


def notes(error: BaseException) -> list[str]:
    """Return what was added to an exception by ``add_note``, whatever its class says; not more than a report's message has."""
    base: Any = vars(BaseException)
    held = base["__dict__"].__get__(error).get("__notes__")
    if type(held) is not list:
        return []
    texts = [str.__str__(each) for each in held[:_MAX_NOTES] if issubclass(type(each), str)]
    return _capped("\0".join(texts), MAX_MESSAGE).split("\0") if texts else []


def with_notes(described: Error, error: BaseException) -> Error:
    """Return the report's form with an exception's notes behind it."""
    described["traceback"] = f"{described['traceback']}{_behind(error)}"
    return described


def _behind(error: BaseException) -> str:
    return "".join(f"\n{note}" for note in notes(error))


def _text(error: BaseException) -> str:
    message = _said(error)
    if message is None:
        message = "the exception's own text raised an exception"
    if type(error) in _NOT_THERE:
        message = without_installing(message)
    if issubclass(type(error), BaseExceptionGroup):
        message = _capped(message, MAX_MESSAGE) + _members(error)
    return _capped(message, MAX_MESSAGE)


def last_line(error: BaseException) -> str:
    """Return the last line of an exception's text, shortened: the one that says what was wrong."""
    return _capped(_text(error).strip().rpartition("\n")[2], 200)


def _members(group: BaseException) -> str:
    """Return the first exceptions of a group, which itself says how many there are."""
    members = vars(BaseExceptionGroup)["exceptions"].__get__(group)
    return "".join(f"; {class_name(type(each))}: {_said(each) or ''}" for each in members[:_MAX_CAUSES])


def _said(error: BaseException) -> str | None:
    """Return an exception's own text as an exact str, or None where it has none."""
    text, failed = attempt(lambda: str(error))
    return None if failed is not None or text is None else str.__str__(text)


def _whole(places: Sequence[Place], sources: Sources, name: str, text: str) -> str:
    return _traceback(places, sources) + (f"{name}: {text}" if text else name)


def _before(error: BaseException, sources: Sources, namespace: Mapping[str, object]) -> str:
    """Return the tracebacks of the exceptions that led to this one, as Python shows them: those that the script has seen."""
    base: Any = BaseException  # whatever their classes say
    told, seen = "", [error]
    while len(seen) <= _MAX_CAUSES:
        cause, context = base.__cause__.__get__(error), base.__context__.__get__(error)
        error, words = (cause, _CAUSE) if cause is not None else (context, _CONTEXT)
        if error is None or any(error is each for each in seen):
            break
        if cause is None and base.__suppress_context__.__get__(seen[-1]):
            break
        seen.append(error)
        places = _raised_at(base.__traceback__.__get__(error), namespace)
        if places:  # else it is a library's own affair
            told = _whole(places, sources, class_name(type(error)), _text(error)) + _behind(error) + words + told
    return told


def teller(sources: Sources, namespace: Mapping[str, object]) -> Callable[[BaseException | TracebackType], Sequence[Entry]]:
    """Return what tells the lines of the script that an exception came through, or that a traceback leads to."""

    def tell(told: BaseException | TracebackType) -> Sequence[Entry]:
        base: Any = BaseException  # whatever its class says
        trace = told if type(told) is TracebackType else base.__traceback__.__get__(told)
        return [_entry(place, sources) for place in _raised_at(trace, namespace)]

    return tell


def stopped(
    kind: str, message: str, frame: FrameType | None, sources: Sources, namespace: Mapping[str, object]
) -> Error:
    """Return the report's form of a script that was ended where frame was."""
    places: list[Place] = []
    while frame is not None:
        if frame.f_globals is namespace:
            places.insert(0, (frame.f_code.co_filename, _line(frame.f_lineno), frame.f_code.co_name))
        frame = frame.f_back
    error = fault(kind, message)
    error["line"] = places[-1][1] if places else 0
    error["traceback"] = f"{_traceback(places, sources)}{kind}: {error['message']}"
    return error


def fault(kind: str, message: str) -> Error:
    """Return the report's form of a fault that is not the script's."""
    return {"type": kind, "message": _capped(message, MAX_MESSAGE), "line": 0, "traceback": "", "errno": 0}


def advise(error: Error, advice: str) -> None:
    """Add what to do to a described exception's message."""
    said = error["message"]
    error["message"] = _capped(f"{said}; {advice}" if said else advice, MAX_MESSAGE)
    error["traceback"] = f"{error['traceback']}{'; ' if said else ': '}{advice}"


def _capped(text: str, size: int) -> str:
    data = str.encode(text, "utf-8", "replace")
    return data[: cut(data, size)].decode("utf-8")


def number(error: BaseException) -> int:
    """Return what Python keeps as an exception's error number, whatever its class says of it; of others 0."""
    kept = vars(OSError)["errno"].__get__(error) if issubclass(type(error), OSError) else 0
    return kept if type(kept) is int and 0 <= kept < 4096 else 0


def _raised_at(trace: TracebackType | None, namespace: Mapping[str, object]) -> list[Place]:
    """Return the places of the frames whose globals are the script's."""
    places = []
    while trace is not None:
        if trace.tb_frame.f_globals is namespace:
            code = trace.tb_frame.f_code
            places.append((code.co_filename, _line(trace.tb_lineno), code.co_name))
        trace = trace.tb_next
    return places


def _line(told: int | None) -> int:
    """Return the number of a line: 0 where Python has none, for what the compiler put in by itself."""
    return told or 0


def _traceback(places: Sequence[Place], sources: Sources) -> str:
    return whole_text([_entry(place, sources) for place in places])


def whole_text(entries: Sequence[Entry]) -> str:
    """Return the text of a traceback above its exception: of a long one the first and the last half."""
    if not entries:
        return ""
    half = MAX_FRAMES // 2
    shown = [entry_text(each) for each in entries]
    if len(shown) > MAX_FRAMES:
        shown[half:-half] = [f"  ... {len(shown) - MAX_FRAMES} more frames ...\n"]
    return "Traceback (most recent call last):\n" + "".join(shown)


def entry_text(entry: Entry) -> str:
    """Return the text of one place of a traceback."""
    script, line, function, source = entry
    return f'  File "{script}", line {line}, in {function}\n' + (f"    {source}\n" if source else "")


def _entry(place: Place, sources: Sources) -> Entry:
    script, line, function = place
    lines = sources.get(script, ())
    source = clean(lines[line - 1].strip())[:_MAX_LINE] if 0 < line <= len(lines) else ""
    return script, line, function, source
