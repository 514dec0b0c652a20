"""Budgets: how many operations and loop iterations a script may take.

They are counted by ``sys.monitoring`` (PEP 669), with events set on the script's
own code objects only: library code runs at full speed, and with both budgets at 0
nothing is registered at all.

An *iteration* is one jump back to the head of a ``for``, ``while`` or ``async for``
loop or of a comprehension. An *operation* is a line of the script that begins, a
function, method, lambda or generator of the script's that is entered or resumed,
or an iteration. Whatever a script repeats in Python passes one of these, also when
a library calls it back. What repeats inside one call of native code (``sum`` over
a ``range``, ``numpy``) is one operation; the clocks of the host are for that.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Final, Never

    from hotcell_guard.answering._report import Report

    Ended = Callable[[str, FrameType | None], Never]
    Told = Callable[[str, FrameType | None], Report]

__all__ = ["Budget", "BudgetUsedUpError"]

_TOOL: Final = 3
"""A tool id that Python reserves for nobody."""

_EVENTS: Final = sys.monitoring.events

_AGAIN: Final = 1000
"""A script that is interrupted may end in order, and is interrupted again after as many events."""
_MOST_LEFT: Final = 100 * _AGAIN


class BudgetUsedUpError(BaseException):
    """Raised, again at every event, where the process cannot end at once."""


class Budget:
    """The two budgets of each script, 0 for none.

    ended is called once, with the budget's name and the script's frame, by the
    thread that goes beyond; it ends the process, so that no exception of the
    guard's ever meets the script's own handlers.

    Where other scripts follow, the main thread is interrupted instead, as by the host's
    clock: interrupt asks for that, and told makes what is said of it, which is met until
    the next script. What goes on nevertheless is ended.
    """

    def __init__(self, operations: int, iterations: int, ended: Ended, told: Told, interrupt: Callable[[], None]) -> None:
        self._operations = operations
        self._iterations = iterations
        self._ended = ended
        self._told = told
        self._interrupt = interrupt
        self._main = get_ident()
        self._left = 0  # events that the main thread may still pass when a budget is used up
        self.met: Report | None = None
        self._reset: Callable[[], None] = lambda: None
        self._set: Callable[[int, int], None] = lambda operations, iterations: None
        # Free while a script runs. Whoever holds it speaks the step's last word.
        self._last_word = allocate_lock()
        self._last_word.acquire()
        # Bound now: a script that got past the guard finds none of it in sys.
        self._set_events = sys.monitoring.set_local_events
        if operations or iterations:
            self._register()

    @property
    def events(self) -> tuple[int, int] | None:
        """The tool of ``sys.monitoring`` and the events that count what code does; None without budgets."""
        if not (self._operations or self._iterations):
            return None
        if not self._operations:
            return _TOOL, _EVENTS.JUMP
        return _TOOL, _EVENTS.JUMP | _EVENTS.LINE | _EVENTS.PY_START | _EVENTS.PY_RESUME

    def watch(self, code: CodeType) -> None:
        """Count what this code does, and all code that is nested in it."""
        if self.events is None:
            return
        tool, events = self.events
        pending = [code]
        while pending:
            code = pending.pop()
            self._set_events(tool, code, events)
            pending += [constant for constant in code.co_consts if isinstance(constant, type(code))]

    def allow(self, operations: int, iterations: int) -> None:
        """Set the two budgets, before the first script: each is 0 where it was 0."""
        self._operations, self._iterations = operations, iterations
        self._set(operations, iterations)

    def begin(self, *, others_follow: bool) -> None:
        """Give the next script its full budgets."""
        self._reset()
        self.met = None
        self._left = _MOST_LEFT if others_follow else 0
        self._last_word.release()

    def end(self) -> None:
        """Close the script's account: from now on nobody ends the process for it."""
        self._left = 0
        self._last_word.acquire()

    def _register(self) -> None:
        begun, jumped, self._reset, self._set = self._counters()
        sys.monitoring.use_tool_id(_TOOL, "hotcell_guard")
        sys.monitoring.register_callback(_TOOL, _EVENTS.JUMP, jumped)
        for event in (_EVENTS.LINE, _EVENTS.PY_START, _EVENTS.PY_RESUME):
            sys.monitoring.register_callback(_TOOL, event, begun)

    def _counters(
        self,
    ) -> tuple[Callable[..., object], Callable[..., object], Callable[[], None], Callable[[int, int], None]]:
        """Return the callbacks.

        Local variables count fastest, and CPython switches threads between no two of the
        instructions that a subtraction takes.
        """
        operations = iterations = 0
        most_operations = self._operations or 1 << 62
        most_iterations = self._iterations or 1 << 62
        disable = sys.monitoring.DISABLE
        used_up = self._used_up

        def begun(code: CodeType, place: int) -> None:
            nonlocal operations
            operations += 1
            if operations > most_operations:
                used_up("operations")

        def jumped(code: CodeType, place: int, destination: int) -> object:
            nonlocal operations, iterations
            if destination > place:
                return disable  # an if or a break: this jump is no loop
            operations += 1
            iterations += 1
            if iterations > most_iterations:
                used_up("loop_iterations")
            if operations > most_operations:
                used_up("operations")
            return None

        def reset() -> None:
            nonlocal operations, iterations
            operations = iterations = 0

        def allow(of_operations: int, of_iterations: int) -> None:
            nonlocal most_operations, most_iterations
            most_operations = of_operations or 1 << 62
            most_iterations = of_iterations or 1 << 62

        return begun, jumped, reset, allow

    def _used_up(self, name: str) -> None:
        frame = sys._getframe(2)
        if self._left and get_ident() == self._main:
            self.met = self.met or self._told(name, frame)
            if self._left % _AGAIN == 0:
                self._interrupt()
            self._left -= 1
            return
        if self._last_word.acquire(blocking=False):
            self._ended(name, frame)
        raise BudgetUsedUpError(name)
