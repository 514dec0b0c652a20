"""What asyncio shows in place of its own: what would ask for signals, and what libraries take no plain answers for."""

from __future__ import annotations

import sys

from hotcell_guard.granting import _event_loop
from hotcell_guard.granting._awaiting import answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["functions"]


class Runner:
    """Runs coroutines one after the other in a loop of its own."""

    def __init__(self, *, debug: bool | None = None, loop_factory: Callable[[], Any] | None = None) -> None:
        self.__loop = _event_loop.new_loop() if loop_factory is None else loop_factory()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get_loop(self) -> Any:
        """Return the loop."""
        return self.__loop

    def run(self, coro: Any, *, context: Any = None) -> Any:
        """Run a coroutine to its end."""
        import asyncio

        if asyncio._get_running_loop() is not None:
            if asyncio.iscoroutine(coro):
                coro.close()
            raise RuntimeError("asyncio.run() cannot be called from a running event loop; await the coroutine instead")
        if not asyncio.iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {type(coro).__name__}: call the function, main()")
        return self.__loop.run_until_complete(self.__loop.create_task(coro, context=context))

    def close(self) -> None:
        """Cancel what is left, and close the loop."""
        if not self.__loop.is_closed():
            try:
                _event_loop.cancel_all(self.__loop)
            finally:
                self.__loop.close()


def functions(answers: frozenset[type]) -> Mapping[str, object]:
    """Return what the view of asyncio shows instead. answers are the classes of what tools answer."""
    return {**_running(), **_waiting(answered(answers))}


def _running() -> Mapping[str, object]:
    def run(main: Any, *, debug: bool | None = None, loop_factory: Callable[[], Any] | None = None) -> Any:
        """Run a coroutine to its end in a loop of its own, and return its result."""
        with Runner(loop_factory=loop_factory) as runner:
            return runner.run(main)

    return {"run": run, "Runner": Runner}


def _waiting(awaitable: Callable[[Any], Any]) -> Mapping[str, object]:
    """Return the functions that take anything that can be awaited."""

    def real() -> Any:
        return sys.modules["asyncio"]

    def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
        """Run awaitable objects concurrently, and return a future for the list of their results."""
        return real().gather(*map(awaitable, coros_or_futures), return_exceptions=return_exceptions)

    def wait_for(fut: Any, timeout: float | None) -> Any:
        """Wait for a coroutine or future, at most timeout seconds."""
        return real().wait_for(awaitable(fut), timeout)

    def shield(arg: Any) -> Any:
        """Wait for a future, and keep it from being cancelled."""
        return real().shield(awaitable(arg))

    def wait(fs: Any, *, timeout: float | None = None, return_when: str = "ALL_COMPLETED") -> Any:
        """Wait for futures or tasks, and return those that are done and those that are not."""
        futures = [each if real().isfuture(each) else _task(awaitable, each) for each in fs]
        return real().wait(futures, timeout=timeout, return_when=return_when)

    def as_completed(fs: Any, *, timeout: float | None = None) -> Any:
        """Return an iterator over awaitable objects in the order in which they are done."""
        return real().as_completed([awaitable(each) for each in fs], timeout=timeout)

    def ensure_future(coro_or_future: Any, *, loop: Any = None) -> Any:
        """Return a future for something that can be awaited."""
        return real().ensure_future(awaitable(coro_or_future), loop=loop)

    _event_loop.take_answers(awaitable)
    return {each.__name__: each for each in (gather, wait_for, shield, wait, as_completed, ensure_future)}


def _task(awaitable: Callable[[Any], Any], given: Any) -> Any:
    """Return a task of an answer, and what is none as it is: Python refuses it."""
    made = awaitable(given)
    return given if made is given else sys.modules["asyncio"].ensure_future(made)
