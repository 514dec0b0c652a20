"""``signal`` for the script: handlers that it registers, and calls itself. No signal reaches a run but the one that ends it."""

from __future__ import annotations

import enum
import signal as _real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["contents"]

_NAMES: Final = (
    "SIGINT SIGTERM SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGALRM SIGABRT SIGCHLD SIGPIPE SIGSEGV SIGFPE SIGKILL SIGSTOP"
).split()
_UNCATCHABLE: Final = (_real.SIGKILL, _real.SIGSTOP)


_NUMBERS: Final = {name: int(getattr(_real, name)) for name in _NAMES}
Signals: Any = enum.IntEnum("Signals", _NUMBERS, module="signal")  # type: ignore[misc]
"""The signals' numbers, without what signal's own class can do."""


class Handlers(enum.IntEnum):
    """What stands for no handler of the script's."""

    __module__ = "signal"
    SIG_DFL = 0
    SIG_IGN = 1


def contents() -> dict[str, object]:
    """Return what the module holds."""
    registered: dict[int, Any] = {}

    def signal(signalnum: int, handler: Any, /) -> Any:
        """Register what is called when a script raises a signal; return what was registered before."""
        number = _known(signalnum)
        if number in _UNCATCHABLE:
            raise OSError(22, "Invalid argument")
        if not callable(handler) and not isinstance(handler, int):
            raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
        before = getsignal(number)
        registered[int(number)] = handler
        return before

    def getsignal(signalnum: int, /) -> Any:
        """Return what is registered for a signal."""
        number = _known(signalnum)
        default = default_int_handler if number == Signals["SIGINT"] else Handlers.SIG_DFL
        return registered.get(int(number), default)

    def raise_signal(signalnum: int, /) -> None:
        """Call what is registered for a signal; without a handler it ends the script."""
        number = _known(signalnum)
        handler = getsignal(number)
        if callable(handler):
            handler(int(number), None)
        elif handler == Handlers.SIG_DFL:
            raise SystemExit(128 + number)

    def default_int_handler(signalnum: int, frame: object, /) -> None:
        """Raise KeyboardInterrupt."""
        raise KeyboardInterrupt

    def strsignal(signalnum: int, /) -> str | None:
        """Return what a signal is called."""
        return _strsignal(_known(signalnum))

    def valid_signals() -> set[Any]:
        """Return the signals that there are."""
        return set(Signals)

    named: tuple[Callable[..., Any], ...] = signal, getsignal, raise_signal, default_int_handler, strsignal, valid_signals
    numbers = {each.name: each for kind in (Signals, Handlers) for each in kind}
    return {**numbers, "Signals": Signals, "Handlers": Handlers, **{each.__name__: each for each in named}}


_strsignal: Final = _real.strsignal


def _known(number: int) -> Any:
    try:
        return Signals(int.__index__(number))
    except ValueError:
        raise ValueError("signal number out of range, or not one of this module's") from None
