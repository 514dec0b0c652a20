"""Interrupting a script of a session, when the host asks for it, or a budget is used up.

From the first script on that runs, a thread of the guard's own reads what the host sends:
the script's thread may be anywhere. An *interrupt* names a script by its number. The
reader tells the script's thread by a signal, which also ends a wait in the kernel, and
Python has that thread look, between two of its instructions, whether it is meant. If so,
KeyboardInterrupt is raised there, as Ctrl-C would.

- One that comes late meets no other script: its number is not that of the one that runs.
- It is raised in the script's own code, in the event loop that waits for it, or in that of a
  library that either has called, and nowhere below a function of the guard's: what checks and what reports is always
  finished, and the script's thread looks again soon after. The host asks again until the
  script has ended, or its patience: code may catch what is raised.
- What the script does with the exception is its own. What became of the script the host
  says, who knows that it has interrupted it; nothing is believed of it here.
"""

from __future__ import annotations

import sys
from _thread import get_ident, interrupt_main
from functools import partial

import _signal  # type: ignore[import-not-found]  # typeshed has none of it

from hotcell_guard.speaking._seal import DOOR, GLOBALS, outermost, sealed

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType
    from typing import Any

    from hotcell_guard.speaking._protocol import Channel

    # The constants of what is sealed here.
    AGAIN: Any
    DOORS: dict[str, object]
    INNER: Any
    KILL: Any
    LOOP: dict[str, Any]
    MAIN: int
    NAMESPACE: dict[str, Any]
    OWN: frozenset[int]
    SEALED: dict[str, object]
    SIGNAL: int
    STATE: list[int]

__all__ = ["Interrupts"]


class Interrupts:
    """Which script of a session may be interrupted, and by what."""

    def __init__(self) -> None:
        self._state = [0, 0]  # the number of the script that runs, and of that which the host has named last
        self._listening = False
        self._handler: Any = None
        # Python's own, which others do not have any more (_absence). The hook knows who asks for this by its being sealed.
        self._set = _signal.signal
        self._tell = sealed(_tell, KILL=_signal.pthread_kill, MAIN=get_ident(), SIGNAL=int(_signal.SIGURG))

    def prepare(self, namespace: dict[str, Any], loop: dict[str, Any]) -> None:
        """Make what interrupts scripts whose globals are namespace, before the hook: the guard's modules have names till then.

        loop holds the globals of the event loop, in which a script waits without a frame of its own.
        """
        own = frozenset(id(vars(each)) for name, each in sys.modules.items() if name.partition(".")[0] == "hotcell_guard")
        # What ends after the handler has: C alone, so that Python does not look again before it has gone on.
        again = type("Again", (), {"__del__": staticmethod(partial(interrupt_main, _signal.SIGURG))})
        held = {"STATE": self._state, "NAMESPACE": namespace, "LOOP": loop, "OWN": own, "SEALED": GLOBALS, "DOORS": DOOR}
        wanted = sealed(_wanted, AGAIN=again, **held)
        self._handler = outermost(_interrupted, INNER=wanted)

    def begin(self, number: int, channel: Channel, limits: Mapping[bytes, int]) -> None:
        """Begin the script of this number; limits bound what comes from now on."""
        if not self._listening:
            self._set(_signal.SIGURG, self._handler)
            channel.listen(limits, self._note)
            self._listening = True
        self._state[0] = number

    def end(self) -> None:
        """End the script: nothing interrupts it any more."""
        self._state[0] = 0

    def ask(self) -> None:
        """Interrupt the script that runs: it has used up a budget."""
        self._state[1] = self._state[0]
        self._tell()  # pylint: disable=not-callable  # a function is

    def _note(self, payload: bytes) -> None:
        number = int.from_bytes(payload, "big")
        self._state[1] = number
        if number == self._state[0]:
            self._tell()  # pylint: disable=not-callable  # a function is


def _tell() -> None:
    KILL(MAIN, SIGNAL)


def _interrupted(number: int, frame: FrameType | None) -> object:
    error, later = INNER(frame)
    if error is not None:
        raise error
    return later


def _wanted(frame: FrameType | None) -> tuple[BaseException | None, object]:
    """Return what is to be raised where the script's thread is, or what has it look again where it is not to be disturbed."""
    if STATE[0] == 0 or STATE[0] != STATE[1]:
        return None, None
    while frame is not None:
        names = frame.f_globals
        if names is NAMESPACE or names is LOOP:
            return KeyboardInterrupt("interrupted"), None
        if names is SEALED or names is DOORS or id(names) in OWN:
            break
        frame = frame.f_back
    return None, AGAIN()
