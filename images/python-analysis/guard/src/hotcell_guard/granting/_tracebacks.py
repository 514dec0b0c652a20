"""``traceback``'s functions that make text: of the script's frames, as a run's report tells them.

Python's own take a traceback and read the frames of whoever made it; these give no
frame away. What a script reads as an exception's ``__traceback__`` is a ``Trace``: the
places of its own lines, and nothing behind them.
"""

from __future__ import annotations

import collections
import sys
import threading
from types import BuiltinMethodType, TracebackType

from hotcell_guard.answering._errors import entry_text, notes, whole_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Final

    Entry = tuple[str, int, str, str]
    Places = Callable[[BaseException | TracebackType], Sequence[Entry]]

__all__ = ["NAMES", "for_libraries", "for_scripts", "shown", "tell_uncaught", "text_functions"]

NAMES: Final = ("__traceback__", "with_traceback")
"""Attributes that take and give tracebacks."""
_MOST: Final = 20
"""Exceptions told of one chain."""
_CAUSE: Final = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT: Final = "\nDuring handling of the above exception, another exception occurred:\n\n"

FrameSummary: Any = collections.namedtuple("FrameSummary", "filename lineno name line", module="traceback")


class StackSummary(list):  # type: ignore[type-arg]  # no typing at run time
    """A list of places, as ``traceback.extract_tb`` returns it."""

    __slots__ = ()

    def format(self) -> list[str]:
        """Return the text of each place."""
        return [entry_text(each) for each in self]


class Trace:
    """Stands for a traceback: the script's lines that it leads to, as texts."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = tuple(entries)

    @property
    def tb_lineno(self) -> int:
        """The line of the outermost place."""
        return self._entries[0][1] if self._entries else 0

    def __repr__(self) -> str:
        return "<traceback object>"


def shown(name: str, value: Any, places: Places) -> Any:
    """Return an exception's ``__traceback__`` or ``with_traceback`` as the script may have it."""
    if name == "with_traceback":
        return _setter(value) if type(value) is BuiltinMethodType else value
    if value is None or type(value) is Trace:
        return value
    if type(value) is TracebackType:
        return Trace(places(value))
    raise AttributeError("only an exception has a '__traceback__'")  # a class has what reads any object's


def _setter(real: Callable[[Any], BaseException]) -> Callable[[Any], BaseException]:
    def with_traceback(tb: Any, /) -> BaseException:
        """Set self.__traceback__ to tb and return self; the places of a Trace are told with the exception they belong to."""
        return real(None if type(tb) is Trace else tb)

    return with_traceback


def tell_uncaught(places: Places) -> None:
    """Tell what ends a thread, and what a finaliser raises, as a report does: Python's own shows the guard's frames and lines."""

    def of_thread(args: threading.ExceptHookArgs, /) -> None:
        if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
            name = args.thread.name if args.thread is not None else threading.get_ident()
            tell(f"Exception in thread {name}:\n", args.exc_value)

    def ignored(args: sys.UnraisableHookArgs, /) -> None:
        if args.exc_value is not None:
            tell("Exception ignored:\n", args.exc_value)

    def tell(words: str, error: BaseException) -> None:
        if sys.stderr is not None:
            sys.stderr.write(words + "".join(_told(error, places)))

    threading.excepthook = of_thread
    sys.unraisablehook = ignored


def text_functions(places: Places) -> Mapping[str, object]:
    """Return the functions by name; places tells the script's lines that an exception came through."""
    told = _exception_class(places)

    def format_exception_only(exc: Any, /, value: Any = None) -> list[str]:
        """Format the exception part of a traceback."""
        error = _error(exc, value)
        return [] if error is None else _last_lines(error)

    def format_exception(exc: Any, /, value: Any = None, tb: Any = None, limit: Any = None, chain: bool = True) -> list[str]:
        """Format a stack trace and the exception information."""
        error = _error(exc, value)
        return ["NoneType: None\n"] if error is None else list(told(type(error), error, tb, limit=limit).format(chain=chain))

    def format_exc(limit: Any = None, chain: bool = True) -> str:
        """Like print_exc() but return a string."""
        return "".join(format_exception(sys.exception(), limit=limit, chain=chain))

    def print_exception(
        exc: Any, /, value: Any = None, tb: Any = None, limit: Any = None, file: Any = None, chain: bool = True
    ) -> None:
        """Print exception up to 'limit' stack trace entries from 'tb' to 'file'."""
        _print(format_exception(exc, value, tb, limit, chain), file)

    def print_exc(limit: Any = None, file: Any = None, chain: bool = True) -> None:
        """Shorthand for print_exception(sys.exception(), limit=limit, file=file, chain=chain)."""
        print_exception(sys.exception(), limit=limit, file=file, chain=chain)

    def format_tb(tb: Any, limit: Any = None) -> list[str]:
        """Format the places of a traceback, each as one text."""
        return [entry_text(each) for each in _limited(_entries(tb, places), limit)]

    def print_tb(tb: Any, limit: Any = None, file: Any = None) -> None:
        """Print up to 'limit' stack trace entries from the traceback 'tb'."""
        _print(format_tb(tb, limit), file)

    made = format_exception_only, format_exception, format_exc, print_exception, print_exc, format_tb, print_tb
    return {"TracebackException": told, **{each.__name__: each for each in made}}


def for_scripts(places: Places) -> Mapping[str, object]:
    """Return what a script has of ``traceback``: the functions, and its places as lists."""

    def extract_tb(tb: Any, limit: Any = None) -> StackSummary:
        """Return the places of a traceback."""
        return _summary(_limited(_entries(tb, places), limit))

    def format_list(extracted_list: Iterable[Entry]) -> list[str]:
        """Format places, each as one text."""
        return [entry_text(each) for each in extracted_list]

    def print_list(extracted_list: Iterable[Entry], file: Any = None) -> None:
        """Print places."""
        _print(format_list(extracted_list), file)

    made = extract_tb, format_list, print_list
    own = {"FrameSummary": FrameSummary, "StackSummary": StackSummary, **{each.__name__: each for each in made}}
    return {**text_functions(places), **own}


def _exception_class(places: Places) -> Any:
    class TracebackException:
        """An exception ready for rendering: its texts."""

        __slots__ = ("__notes__", "_alone", "_last", "_whole", "exc_type", "exc_type_str", "stack")

        def __init__(
            self, exc_type: Any, exc_value: Any, exc_traceback: Any = None, *, limit: Any = None, **options: object
        ) -> None:
            error = exc_value if exc_value is not None else exc_type()
            given = type(exc_traceback) in (Trace, TracebackType)
            entries = _limited(_entries(exc_traceback, places) if given else places(error), limit)
            self.exc_type, self.exc_type_str, self.stack = type(error), type(error).__qualname__, _summary(entries)
            self.__notes__ = notes(error) or None
            self._last = _last_lines(error)
            self._alone = [whole_text(entries), *self._last] if entries else self._last
            self._whole = [*_told_before(error, places), *self._alone]

        @classmethod
        def from_exception(cls, exc: Any, *args: Any, **options: Any) -> Any:
            """Make one of an exception."""
            return cls(type(exc), _error(exc, None), None, *args, **options)

        def format(self, *, chain: object = True, **options: object) -> Iterator[str]:
            """Format the exception, after those that led to it."""
            yield from self._whole if chain else self._alone

        def format_exception_only(self, **options: object) -> Iterator[str]:
            """Format the exception part of the traceback."""
            yield from self._last

        def print(self, *, file: Any = None, chain: object = True, **options: object) -> None:
            """Print the result of self.format(chain=chain) to 'file'."""
            _print(self.format(chain=chain), file)

        def __str__(self) -> str:
            return self._last[0].removesuffix("\n").partition(": ")[2]

    return TracebackException


def _entries(tb: Any, places: Places) -> Sequence[Entry]:
    if type(tb) is Trace:
        return tb._entries
    if type(tb) is TracebackType:
        return places(tb)
    if tb is None:
        return ()
    raise TypeError(f"a traceback is expected, not {type(tb).__name__}")


def _limited(entries: Sequence[Entry], limit: Any) -> Sequence[Entry]:
    """Return the first so many places, or the last for a negative number."""
    if limit is None:
        return entries
    most = int.__index__(limit)
    return entries[:most] if most >= 0 else entries[most:]


def _summary(entries: Iterable[Entry]) -> StackSummary:
    return StackSummary(FrameSummary(*each) for each in entries)


def _print(texts: Iterable[str], file: Any) -> None:
    print("".join(texts), end="", file=sys.stderr if file is None else file)


def for_libraries(places: Places) -> Mapping[str, object]:
    """Return what libraries (logging, for one) tell exceptions with: the same, and of stacks nothing."""

    def print_stack(f: object = None, limit: object = None, file: object = None) -> None:
        """Print nothing: the frames of a stack are the guard's and the libraries'."""

    def format_stack(f: object = None, limit: object = None) -> list[str]:
        """Return no lines."""
        return []

    return {**text_functions(places), "print_stack": print_stack, "format_stack": format_stack}


def _error(exc: Any, value: Any) -> BaseException | None:
    """Return the exception, which is given by itself or after its class."""
    error = exc if value is None else value
    if error is None or issubclass(type(error), BaseException):
        return error  # type: ignore[no-any-return]
    raise TypeError(f"Exception expected for value, {type(error).__name__} found")


def _told(error: BaseException, places: Places) -> Iterator[str]:
    yield from _told_before(error, places)
    yield whole_text(places(error))
    yield from _last_lines(error)


def _told_before(error: BaseException, places: Places) -> Iterator[str]:
    """Tell what led to an exception: the first of it first, each with how it is linked to the next."""
    links: list[tuple[BaseException, str]] = []
    seen = {id(error)}
    while len(seen) < _MOST:
        before, how = _before(error)
        if before is None or id(before) in seen:
            break
        links.append((before, how))
        seen.add(id(before))
        error = before
    for each, how in reversed(links):
        text = whole_text(places(each))
        if text:
            yield text
        yield from _last_lines(each)
        yield how


def _before(error: BaseException) -> tuple[BaseException | None, str]:
    """Return the exception that led to this one, past what a class of the script's says, and the words for it."""
    base: Any = BaseException
    cause: BaseException | None = base.__cause__.__get__(error)
    if cause is not None:
        return cause, _CAUSE
    return (None if base.__suppress_context__.__get__(error) else base.__context__.__get__(error)), _CONTEXT


def _last_lines(error: BaseException) -> list[str]:
    """Return what an exception says, and what was added to it."""
    return [_last_line(error), *(f"{note}\n" for note in notes(error))]


def _last_line(error: BaseException) -> str:
    kind = type(error)
    home, name = kind.__module__, kind.__qualname__
    try:
        text = str(error)
    except Exception:  # pylint: disable=broad-exception-caught  # as Python's own
        text = "<exception str() failed>"
    name = f"{home}.{name}" if home not in ("builtins", "__main__") else name
    return f"{name}: {text}\n" if text else f"{name}\n"
