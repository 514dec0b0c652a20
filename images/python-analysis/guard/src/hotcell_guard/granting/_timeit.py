"""``timeit`` for the script: it calls functions, and text that is checked as the script is, where a policy lets text run."""

from __future__ import annotations

import itertools
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Function = Callable[[], object]
    Caller = Callable[[str, str, Any], Function]

__all__ = ["contents"]

_NUMBER: Final = 1_000_000
_REPEAT: Final = 5
_ENOUGH_SECONDS: Final = 0.2


def contents(caller: Caller | None = None) -> dict[str, object]:
    """Return what the module holds. caller makes a function of a text, its setup and the names that both see."""
    known = {"default_timer": time.perf_counter, "default_number": _NUMBER, "default_repeat": _REPEAT}

    class Timer(_Timer):
        __doc__ = _Timer.__doc__
        __slots__ = ()

        def __init__(
            self,
            stmt: Any = "pass",
            setup: Any = "pass",
            timer: Any = time.perf_counter,
            globals: Any = None,  # noqa: A002
        ) -> None:
            super().__init__(*_functions(stmt, setup, globals, caller), timer)

    def timeit(
        stmt: Any = "pass",
        setup: Any = "pass",
        timer: Any = time.perf_counter,
        number: int = _NUMBER,
        globals: Any = None,  # noqa: A002
    ) -> Any:
        """Return the time that so many calls of a function take together."""
        return Timer(stmt, setup, timer, globals).timeit(number)

    def repeat(
        stmt: Any = "pass",
        setup: Any = "pass",
        timer: Any = time.perf_counter,
        repeat: int = _REPEAT,
        number: int = _NUMBER,
        globals: Any = None,  # noqa: A002
    ) -> list[Any]:
        """Call timeit() several times."""
        return Timer(stmt, setup, timer, globals).repeat(repeat, number)

    return {**known, "Timer": Timer, "timeit": timeit, "repeat": repeat}


class _Timer:
    """Calls a function, and tells how long that takes."""

    __slots__ = ("_setup", "_timed", "_timer")

    def __init__(self, timed: Function, setup: Function, timer: Any) -> None:
        self._timed, self._setup, self._timer = timed, setup, timer

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


def _functions(stmt: Any, setup: Any, names: Any, caller: Caller | None) -> tuple[Function, Function]:
    """Return what is timed, and what is called before. A text of either needs the caller."""
    if callable(stmt) and (callable(setup) or _is_pass(setup)):
        return stmt, setup if callable(setup) else _nothing
    if _is_pass(stmt) and _is_pass(setup):
        return _nothing, _nothing
    if caller is None or not isinstance(setup, str):
        raise TypeError("stmt of timeit is a function here, and no text: timeit.timeit(lambda: f(x), number=1000)")
    if callable(stmt):
        caller("pass", setup, names)
        return stmt, _nothing
    return caller(stmt, setup, names), _nothing


def _is_pass(given: Any) -> bool:
    return type(given) is str and given == "pass"


def _nothing() -> None:
    pass
