"""``traceback``'s functions that make text: of the script's frames, as a run's report tells them.

Python's own take a traceback and read the frames of whoever made it; these take the
exception, and give no frame away.
"""

from __future__ import annotations

import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

__all__ = ["for_libraries", "tell_uncaught", "text_functions"]

_MOST: Final = 20
"""Exceptions told of one chain."""
_CAUSE: Final = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT: Final = "\nDuring handling of the above exception, another exception occurred:\n\n"


def tell_uncaught(places: Callable[[BaseException], str]) -> None:
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
            sys.stderr.write(words + "".join(_told(error, places, True)))

    threading.excepthook = of_thread
    sys.unraisablehook = ignored


def text_functions(places: Callable[[BaseException], str]) -> Mapping[str, object]:
    """Return the functions by name; places tells the script's lines that an exception came through."""

    def format_exception_only(exc: Any, /, value: Any = None) -> list[str]:
        """Format the exception part of a traceback."""
        error = _error(exc, value)
        return [] if error is None else [_last_line(error)]

    def format_exception(
        exc: Any, /, value: Any = None, tb: object = None, limit: object = None, chain: bool = True
    ) -> list[str]:
        """Format a stack trace and the exception information."""
        error = _error(exc, value)
        return ["NoneType: None\n"] if error is None else list(_told(error, places, chain))

    def format_exc(limit: object = None, chain: bool = True) -> str:
        """Like print_exc() but return a string."""
        return "".join(format_exception(sys.exception(), chain=chain))

    def print_exception(
        exc: Any, /, value: Any = None, tb: object = None, limit: object = None, file: Any = None, chain: bool = True
    ) -> None:
        """Print exception up to 'limit' stack trace entries from 'tb' to 'file'."""
        print("".join(format_exception(exc, value, chain=chain)), end="", file=sys.stderr if file is None else file)

    def print_exc(limit: object = None, file: Any = None, chain: bool = True) -> None:
        """Shorthand for print_exception(sys.exception(), limit=limit, file=file, chain=chain)."""
        print_exception(sys.exception(), file=file, chain=chain)

    made = format_exception_only, format_exception, format_exc, print_exception, print_exc
    return {each.__name__: each for each in made}


def for_libraries(places: Callable[[BaseException], str]) -> Mapping[str, object]:
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


def _told(error: BaseException, places: Callable[[BaseException], str], chain: object) -> Iterator[str]:
    links = [(error, "")]
    seen = {id(error)}
    while chain and len(links) < _MOST:
        before, how = _before(links[-1][0])
        if before is None or id(before) in seen:
            break
        links[-1] = links[-1][0], how
        seen.add(id(before))
        links.append((before, ""))
    for each, how in reversed(links):
        if how:
            yield how
        text = places(each)
        if text:
            yield text
        yield _last_line(each)


def _before(error: BaseException) -> tuple[BaseException | None, str]:
    """Return the exception that led to this one, past what a class of the script's says, and the words for it."""
    base: Any = BaseException
    cause: BaseException | None = base.__cause__.__get__(error)
    if cause is not None:
        return cause, _CAUSE
    return (None if base.__suppress_context__.__get__(error) else base.__context__.__get__(error)), _CONTEXT


def _last_line(error: BaseException) -> str:
    kind = type(error)
    home, name = kind.__module__, kind.__qualname__
    try:
        text = str(error)
    except Exception:  # pylint: disable=broad-exception-caught  # as Python's own
        text = "<exception str() failed>"
    name = f"{home}.{name}" if home not in ("builtins", "__main__") else name
    return f"{name}: {text}\n" if text else f"{name}\n"
