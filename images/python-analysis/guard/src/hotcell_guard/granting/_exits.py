"""``atexit`` for the script, and ``weakref.finalize``: what is to be called when it ends.

A script's functions are called at the end of the script, or of the step of a session, that
has registered them: the last one first, as Python does. No interpreter ends there.
"""

from __future__ import annotations

import sys
import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]

__all__ = ["Exits"]


def _nothing(*_: object) -> None:
    """Show nothing: the run's answer tells of the exception that ended it."""


class Exits:
    """What one run's scripts want to have called at their ends."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self.hook: Any = _nothing  # called with what ends the script
        self.traceback: Callable[[BaseException], Any] = _nothing  # what of its traceback is the script's to read

    def run(self) -> None:
        """Call what was registered, the last first, and what these calls register. The first failure comes out at the end."""
        self._tell(sys.exception())
        failed: BaseException | None = None
        while self._calls:
            function, arguments, options = self._calls.pop()
            try:
                function(*arguments, **options)
            except Exception as error:  # pylint: disable=broad-exception-caught  # the others are called all the same
                failed = failed or error
            except BaseException:
                self._calls.clear()  # no later step of a session calls what this one has left
                raise
        if failed is not None:
            raise failed

    def _tell(self, error: BaseException | None) -> None:
        """Call what the script has made sys.excepthook. The run fails all the same, and tells of the first exception."""
        if error is None or isinstance(error, SystemExit) or self.hook is _nothing:
            return
        try:
            self.hook(type(error), error, self.traceback(error))
        except Exception:  # pylint: disable=broad-exception-caught  # as in Python, the first one is told as well
            print("Error in sys.excepthook", file=sys.stderr)

    def contents(self) -> dict[str, object]:
        """Return what the module atexit holds."""
        calls = self._calls

        def register(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
            """Have a function called at the script's end."""
            if not callable(func):
                raise TypeError("the first argument must be callable")
            calls.append((func, args, kwargs))
            return func

        def unregister(func: Callable[..., Any], /) -> None:
            """Have a function not called any more."""
            calls[:] = [each for each in calls if each[0] is not func and each[0] != func]

        return {"register": register, "unregister": unregister}

    def finalizer(self) -> type:
        """Return weakref's finalize, which calls a function when an object goes, or when the script ends."""
        calls = self._calls
        waiting: set[Any] = set()

        class finalize:  # noqa: N801  # Python's name
            """Call a function once, when an object is no more, at the script's end at the latest."""

            __slots__ = ("_call", "_of", "atexit")
            __module__ = "weakref"

            def __init__(self, obj: Any, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
                self.atexit = True
                self._call: Call | None = (func, args, kwargs)
                self._of = weakref.ref(obj, lambda _: self())
                waiting.add(self)
                calls.append((self._end, (), {}))

            __hash__ = object.__hash__

            def __call__(self, _: object = None) -> Any:
                """Call the function if it was not called yet."""
                call = self._taken()
                return None if call is None else call[0](*call[1], **call[2])

            def _taken(self) -> Call | None:
                call, self._call = self._call, None
                waiting.discard(self)
                return call

            def _end(self) -> None:
                if self.atexit:
                    self()

            def detach(self) -> Any:
                """Have the function not called any more; return what it would have been called for."""
                found = self.peek()
                self._taken()
                return found

            def peek(self) -> Any:
                """Return the object, the function and its arguments while they wait."""
                obj, call = self._of(), self._call
                return None if obj is None or call is None else (obj, *call)

            @property
            def alive(self) -> bool:
                """Whether it waits."""
                return self._call is not None

        return finalize
