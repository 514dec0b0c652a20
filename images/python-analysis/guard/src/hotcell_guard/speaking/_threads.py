"""Which step of a session a thread belongs to: what it prints is that step's alone.

A thread belongs to the step whose code has started it, whichever thread that code ran in, and
a pool's thread to the step that has given it the work. The main thread runs the step itself.

No wall stands between the threads of one interpreter: one that an earlier step has left can
set what a later one computes with, and so have that one print what it likes. All that can be
done is to tell that such threads ran.
"""

from __future__ import annotations

import sys
import threading
from _thread import _local, get_ident
from time import monotonic, sleep
from types import MethodType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["Steps"]

_NOBODYS: Final = -1
_SETTLE_SECONDS: Final = 1.0
"""Far more than a thread needs that has nothing to do: what it calls back can take for ever."""
_LOOK_SECONDS: Final = 0.001
_POOL: Final = "concurrent.futures"
_BOOTSTRAP: Final = vars(threading.Thread)["_bootstrap"]


class Steps:
    """The steps, of which at most one runs, and the threads of all of them."""

    def __init__(self) -> None:
        self._main = get_ident()
        self._step = 0
        self._left = 0
        self._mine = _local()
        # The step of each thread, and of each work that a pool is at, and the thread's identity.
        self._running: dict[object, tuple[int, int]] = {}
        self._futures: dict[object, Any] = {}  # of the works, by the same tokens
        self._given: dict[int, int] = {}  # the step of each work that waits, by its identity

    def begin(self, step: int) -> None:
        """Begin a step, of a number of its own."""
        self._settle()
        self._step = step
        self._left = self._others()

    def end(self) -> int:
        """End it, and return how many threads of earlier ones have run meanwhile."""
        left = max(self._left, self._others())
        self._step = -1 - self._step  # what is started until the next begins is nobody's
        return left

    def runs_here(self) -> bool:
        """Tell whether this thread belongs to the step that runs."""
        return self._of_thread() == self._step

    def follow(self) -> None:
        """Have threads know their step. It is called before the first script."""
        pool: Any = None
        if _POOL in sys.modules:
            from concurrent.futures import thread as pool
        names = vars(threading)
        names["_start_joinable_thread"] = self._starter(names["_start_joinable_thread"], pool)
        if pool is not None:
            self._mark(pool._WorkItem)

    def _settle(self) -> None:
        """Wait for pools' threads that have answered, and not come to the end of the work yet."""
        until = monotonic() + _SETTLE_SECONDS
        while any(vars(each)["_state"] == "FINISHED" for each in list(self._futures.values())) and monotonic() < until:
            sleep(_LOOK_SECONDS)

    def _others(self) -> int:
        return len({thread for step, thread in list(self._running.values()) if step not in (0, self._step)})

    def _of_thread(self) -> int:
        return self._step if get_ident() == self._main else getattr(self._mine, "step", _NOBODYS)

    def _starter(self, start: Callable[..., Any], pool: Any) -> Callable[..., Any]:
        def start_of_step(function: Any, *args: Any, **options: Any) -> Any:
            step, idle = self._of_thread(), _is_idle(function, pool)

            def run() -> None:
                self._mine.step = step
                if idle:
                    function()
                else:
                    self._work(step, function, None)

            return start(run, *args, **options)

        return start_of_step

    def _work(self, step: int, function: Callable[[], object], future: Any) -> None:
        token = object()
        self._running[token] = step, get_ident()
        if future is not None:
            self._futures[token] = future
        try:
            function()
        finally:
            del self._running[token]
            self._futures.pop(token, None)

    def _mark(self, work: Any) -> None:
        """Have what is given to pools know who has given it."""
        make, do = work.__init__, work.run

        def made(item: Any, *args: Any, **options: Any) -> None:
            make(item, *args, **options)
            self._given[id(item)] = self._of_thread()

        def done(item: Any) -> None:
            own, step = getattr(self._mine, "step", _NOBODYS), self._given.pop(id(item), _NOBODYS)
            self._mine.step = step
            try:
                self._work(step, lambda: do(item), item.future)
            finally:
                self._mine.step = own

        work.__init__, work.run = made, done


def _is_idle(bootstrap: Any, pool: Any) -> bool:
    """Tell of a pool's own thread, which does nothing but what is given to it.

    A script's heirs of the two classes can have their threads do anything else.
    """
    if pool is None or type(bootstrap) is not MethodType or bootstrap.__func__ is not _BOOTSTRAP:
        return False
    thread: Any = bootstrap.__self__
    if type(thread) is not threading.Thread or vars(thread).get("_target") is not pool._worker:
        return False
    owner, _, initializer, _ = vars(thread)["_args"]
    return initializer is None and type(owner()) is pool.ThreadPoolExecutor
