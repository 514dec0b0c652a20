"""The event loop of asyncio as scripts have it: callbacks, times and threads, and neither sockets nor processes.

Python's own loops begin with a pair of sockets, which no sandbox has. This one waits on a
lock. What it does not have raises NotImplementedError, as its base class says.
"""

from __future__ import annotations

import functools
import heapq
import sys
import threading
import time
from collections import deque
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, Final

__all__ = ["cancel_all", "drive", "is_there", "new_loop", "policy", "take_answers"]

_LONGEST_WAIT: Final = 3600.0
_kept: dict[str, Any] = {}
"""The loop in which the scripts' own level runs, from step to step."""


def take_answers(awaitable: Callable[[Any], Any]) -> None:
    """Let tasks be made of the plain answers of tools, too."""
    _kept["awaitable"] = awaitable


def is_there() -> bool:
    """Tell whether anybody has imported asyncio. A module that is half imported is not there."""
    spec = getattr(sys.modules.get("asyncio"), "__spec__", None)
    return spec is not None and not getattr(spec, "_initializing", False)


def drive(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a script's own level to its end, and return what it returns."""
    if not is_there():
        return _at_once(coroutine)
    loop = _kept.get("loop")
    if loop is None or loop._closed:
        loop = _kept["loop"] = new_loop()
    return _own_level(loop, coroutine)


def _own_level(loop: Any, coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a script's own level in the loop that scripts have, whatever earlier ones have set of it, or left in it.

    How it ends is what the coroutine has said. Its task, which all that runs meanwhile can reach, is not asked.
    """
    kind, said = _real().tasks.Task, []

    async def level() -> None:
        try:
            said.append((True, await coroutine))
        except BaseException as error:
            said.append((False, error))
            raise

    task = kind(level(), loop=loop)
    try:
        _Loop._run(loop, lambda: bool(said) or kind.done(task))  # closed by another, it ends and its task does not
    finally:
        if not kind.done(task):
            kind.add_done_callback(task, lambda ended: kind.cancelled(ended) or kind.exception(ended))  # it has been told here
            kind.cancel(task)  # it was interrupted, and must not go on in a later step
        elif not kind.cancelled(task):
            kind.exception(task)  # it is on its way
    if not said:
        if kind.cancelled(task):
            raise _real().exceptions.CancelledError
        raise RuntimeError("the event loop was stopped, or the script's own task ended, before the script came to its end")
    ended, value = said[0]
    if not ended:
        raise value
    return value


def _at_once(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run what can wait for nothing: where there is no asyncio, there is no future."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("what is awaited here waits for something, and nothing goes on meanwhile; import asyncio")


def cancel_all(loop: Any) -> None:
    """Cancel what is not done in a loop, and let it end."""
    tasks = _real().tasks
    left = tasks.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(_all(left))
    for task in left:
        if not task.cancelled() and task.exception() is not None:
            loop.call_exception_handler(
                {"message": "an exception after the end of asyncio.run()", "exception": task.exception(), "task": task}
            )


async def _all(left: Any) -> None:
    await _real().tasks.gather(*left, return_exceptions=True)


def new_loop() -> Any:
    """Make a loop. asyncio is imported."""
    return _loop_class()()


@functools.cache
def policy() -> Any:
    """Return the policy by which asyncio finds and makes loops."""
    base: Any = _real().events.AbstractEventLoopPolicy

    class Policy(base):  # type: ignore[misc]  # what it is of matters at run time only
        """One loop for each thread, made when it is asked for."""

        def __init__(self) -> None:
            self._own = threading.local()

        def get_event_loop(self) -> Any:
            loop = getattr(self._own, "loop", None)
            if loop is None:
                loop = self._own.loop = new_loop()
            return loop

        def set_event_loop(self, loop: Any) -> None:
            self._own.loop = loop

        def new_event_loop(self) -> Any:
            return new_loop()

    return Policy()


@functools.cache
def _loop_class() -> type:
    return type("EventLoop", (_Loop, _real().events.AbstractEventLoop), {})


def _real() -> Any:
    """Return asyncio, which is imported."""
    return sys.modules["asyncio"]


def _of_loops(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method for loops alone: read of the class, Python's would write what a loop keeps into any object."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        if not issubclass(type(self), _Loop):
            raise TypeError(f"{function.__name__}() is of an event loop, not of an object of {type(self).__name__!r}")
        return function(self, *args, **options)

    method.__name__, method.__qualname__, method.__doc__ = function.__name__, function.__name__, function.__doc__
    return method


def _on_loops_only(kind: type) -> type:
    for name, function in list(vars(kind).items()):
        if type(function) is FunctionType:
            setattr(kind, name, _of_loops(function))
    return kind


@_on_loops_only
class _Loop:
    """Runs what is ready, then waits for the next time or for another thread."""

    def __init__(self) -> None:
        self._ready: deque[Any] = deque()
        self._later: list[Any] = []  # a heap of timers
        self._awake = threading.Event()
        self._running = self._closed = self._stopping = False
        self._factory: Any = None
        self._handler: Any = None
        self._executor: Any = None

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):  # whoever runs in it later would call that
            raise AttributeError(f"{name!r} of an event loop cannot be set")
        object.__setattr__(self, name, value)

    # Callbacks.

    def time(self) -> float:
        return time.monotonic()

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:
        self._check_open()
        handle = _real().events.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:
        handle = self.call_soon(callback, *args, context=context)
        self._awake.set()
        return handle

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:
        self._check_open()
        timer = _real().events.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._later, timer)
        return timer

    def _timer_handle_cancelled(self, handle: Any) -> None:
        """Leave it in the heap until its time."""

    # Futures, tasks and threads.

    def create_future(self) -> Any:
        return _real().futures.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> Any:
        self._check_open()
        coro = _kept.get("awaitable", lambda value: value)(coro)
        return self._factory(self, coro, **options) if self._factory else _real().tasks.Task(coro, loop=self, **options)

    def set_task_factory(self, factory: Any) -> None:
        self._factory = factory

    def get_task_factory(self) -> Any:
        return self._factory

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        if executor is None:
            from concurrent.futures import ThreadPoolExecutor

            executor = self._executor = self._executor or ThreadPoolExecutor()
        return _real().futures.wrap_future(executor.submit(func, *args), loop=self)

    def set_default_executor(self, executor: Any) -> None:
        self._executor = executor

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True)

    async def shutdown_asyncgens(self) -> None:
        """Nothing: generators end when nobody has them any more."""

    # Running.

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("Event loop is closed")

    def run_forever(self) -> None:
        _Loop._run(self, lambda: False)

    def _run(self, is_over: Callable[[], bool]) -> None:
        """Run until it is stopped, or until it is over."""
        _Loop._check_open(self)
        if self._running or _real().events._get_running_loop() is not None:
            raise RuntimeError("this event loop is already running: await the coroutine instead of running it")
        self._running = True
        _real().events._set_running_loop(self)
        try:
            while not self._stopping and not is_over():
                _Loop._run_once(self)
        finally:
            self._running = self._stopping = False
            _real().events._set_running_loop(None)

    def _run_once(self) -> None:
        while self._later and self._later[0]._cancelled:
            heapq.heappop(self._later)
        if not self._ready and not self._stopping:
            wait = self._later[0].when() - self.time() if self._later else _LONGEST_WAIT
            if wait > 0:
                self._awake.wait(min(wait, _LONGEST_WAIT))
        self._awake.clear()
        now = self.time()
        while self._later and self._later[0].when() <= now:
            self._ready.append(heapq.heappop(self._later))
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if not handle._cancelled:
                handle._run()

    def run_until_complete(self, future: Any) -> Any:
        self._check_open()
        if self._running or _real().events._get_running_loop() is not None:
            if not _real().futures.isfuture(future):
                future.close()
            raise RuntimeError("this event loop is already running: await the coroutine instead of running it")
        made = not _real().futures.isfuture(future)
        return _Loop._complete(self, _real().tasks.ensure_future(future, loop=self), made)

    def _complete(self, future: Any, made: bool) -> Any:
        """Run until the future is done. If it was made for this, it does not outlive an interrupt."""
        future.add_done_callback(self._ended)
        try:
            _Loop.run_forever(self)
        except BaseException:
            if made and future.done() and not future.cancelled():
                future.exception()  # what it raised is on its way
            elif made:
                future.cancel()  # it was interrupted, and must not go on in a later step
            raise
        finally:
            future.remove_done_callback(self._ended)
        if not future.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return future.result()

    def _ended(self, future: Any) -> None:
        if not future.cancelled() and isinstance(future.exception(), (SystemExit, KeyboardInterrupt)):
            return  # it goes through the loop by itself
        self.stop()

    def stop(self) -> None:
        self._stopping = True
        self._awake.set()

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        if self._running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        self._ready.clear()
        self._later.clear()
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)

    # Errors that nobody else sees.

    def get_debug(self) -> bool:
        return False

    def set_debug(self, enabled: bool) -> None:
        """Nothing: what it would show are frames."""

    def set_exception_handler(self, handler: Any) -> None:
        self._handler = handler

    def get_exception_handler(self) -> Any:
        return self._handler

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        told = f": {type(error).__name__}: {error}" if error is not None else ""
        print(f"{context.get('message')}{told}", file=sys.stderr)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        handler = self._handler
        if handler is None:
            self.default_exception_handler(context)
        else:
            handler(self, context)
