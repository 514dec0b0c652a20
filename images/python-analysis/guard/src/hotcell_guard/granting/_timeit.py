"""``timeit`` for the script: it calls functions. No text is compiled."""

from __future__ import annotations

import itertools
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["contents"]

_NUMBER: Final = 1_000_000
_REPEAT: Final = 5
_ENOUGH_SECONDS: Final = 0.2


def contents() -> dict[str, object]:
    """Return what the module holds."""
    known = {"default_timer": time.perf_counter, "default_number": _NUMBER, "default_repeat": _REPEAT}
    return {**known, "Timer": Timer, "timeit": timeit, "repeat": _repeated}


class Timer:
    """Calls a function, and tells how long that takes. A text is no function, and not compiled here."""

    __slots__ = ("_setup", "_timed", "_timer")

    def __init__(
        self,
        stmt: Any = "pass",
        setup: Any = "pass",
        timer: Any = time.perf_counter,
        globals: Any = None,  # noqa: A002
    ) -> None:
        self._timed, self._setup, self._timer = _function(stmt, "stmt"), _function(setup, "setup"), timer

    def timeit(self, number: int = _NUMBER) -> Any:
        """Return the time that so many calls take together."""
        timed, timer = self._timed, self._timer
        self._setup()
        begun = timer()
        for _ in itertools.repeat(None, number):
            timed()
        return timer() - begun

    def repeat(self, repeat: int = _REPEAT, number: int = _NUMBER) -> list[Any]:
        """Call timeit() several times."""
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback: Callable[[int, Any], object] | None = None) -> tuple[int, Any]:
        """Return how many calls take at least 0.2 seconds, and the time that they took."""
        for power in itertools.count():
            for first in (1, 2, 5):
                number = first * 10**power
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= _ENOUGH_SECONDS:
                    return number, taken
        raise AssertionError  # count() does not end


def timeit(
    stmt: Any = "pass",
    setup: Any = "pass",
    timer: Any = time.perf_counter,
    number: int = _NUMBER,
    globals: Any = None,  # noqa: A002
) -> Any:
    """Return the time that so many calls of a function take together."""
    return Timer(stmt, setup, timer).timeit(number)


def _repeated(
    stmt: Any = "pass",
    setup: Any = "pass",
    timer: Any = time.perf_counter,
    repeat: int = _REPEAT,
    number: int = _NUMBER,
    globals: Any = None,  # noqa: A002
) -> list[Any]:
    """Call timeit() several times."""
    return Timer(stmt, setup, timer).repeat(repeat, number)


_repeated.__name__ = _repeated.__qualname__ = "repeat"


def _function(given: Any, name: str) -> Callable[[], object]:
    if callable(given):
        return given  # type: ignore[no-any-return]
    if type(given) is str and given == "pass":
        return _nothing
    raise TypeError(f"{name} of timeit is a function here, and no text: timeit.timeit(lambda: f(x), number=1000)")


def _nothing() -> None:
    pass
