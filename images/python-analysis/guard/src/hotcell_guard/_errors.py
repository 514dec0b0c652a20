"""An exception of the run's code as the report tells it: the script's frames only."""

from __future__ import annotations

from hotcell_guard._result import clean
from hotcell_guard._streams import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Final

    Error = dict[str, str | int]

__all__ = ["advise", "attempt", "describe", "fault"]

MAX_MESSAGE: Final = 4 << 10
MAX_FRAMES: Final = 20
"""Frames shown; of more, the first and the last half."""

_MAX_NAME: Final = 200
_MAX_LINE: Final = 400


def attempt[T](function: Callable[[], T]) -> tuple[T | None, BaseException | None]:
    """Call what may run the script's code and return its value or its exception.

    This is the one place that catches everything: any exception of the script,
    also one of its own making that is no Exception, ends the run in good order.
    """
    try:
        return function(), None
    except BaseException as error:
        return None, error


def describe(error: BaseException, script: str, lines: Sequence[str], namespace: Mapping[str, object]) -> Error:
    """Return the report's form of an exception that reached the top."""
    message, failed = attempt(lambda: str(error))
    if failed is not None or message is None:
        message = "the exception's own text raised an exception"
    text = _capped(message, MAX_MESSAGE)
    name = _capped(_class_name(type(error)), _MAX_NAME)
    places = _script_lines(error.__traceback__, namespace)
    return {
        "type": name,
        "message": text,
        "line": places[-1][0] if places else 0,
        "traceback": _traceback(places, script, lines) + (f"{name}: {text}" if text else name),
        "errno": _errno(error),
    }


def fault(kind: str, message: str) -> Error:
    """Return the report's form of a fault that is not the script's."""
    return {"type": kind, "message": _capped(message, MAX_MESSAGE), "line": 0, "traceback": "", "errno": 0}


def advise(error: Error, advice: str) -> None:
    """Add what to do to a described exception's message."""
    error["message"] = _capped(f"{error['message']}; {advice}", MAX_MESSAGE)
    error["traceback"] = f"{error['traceback']}; {advice}"


def _class_name(kind: type) -> str:
    """Read the name past a metaclass of the script's."""
    return str(vars(type)["__name__"].__get__(kind))


def _capped(text: str, size: int) -> str:
    data = str.encode(text, "utf-8", "replace")
    return data[: cut(data, size)].decode("utf-8")


def _errno(error: BaseException) -> int:
    number = error.errno if isinstance(error, OSError) else 0
    return number if type(number) is int and 0 <= number < 4096 else 0


def _script_lines(trace: TracebackType | None, namespace: Mapping[str, object]) -> list[tuple[int, str]]:
    """Return line and function of the frames whose globals are the script's."""
    places = []
    while trace is not None:
        if trace.tb_frame.f_globals is namespace:
            places.append((trace.tb_lineno, trace.tb_frame.f_code.co_name))
        trace = trace.tb_next
    return places


def _traceback(places: Sequence[tuple[int, str]], script: str, lines: Sequence[str]) -> str:
    if not places:
        return ""
    shown = [_place(line, function, script, lines) for line, function in places]
    if len(shown) > MAX_FRAMES:
        half = MAX_FRAMES // 2
        shown[half:-half] = [f"  ... {len(shown) - MAX_FRAMES} more frames ...\n"]
    return "Traceback (most recent call last):\n" + "".join(shown)


def _place(line: int, function: str, script: str, lines: Sequence[str]) -> str:
    source = clean(lines[line - 1].strip())[:_MAX_LINE] if 0 < line <= len(lines) else ""
    return f'  File "{script}", line {line}, in {function}\n' + (f"    {source}\n" if source else "")
