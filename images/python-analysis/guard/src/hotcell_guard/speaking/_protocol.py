"""Frames between host and guard; the contract is the host's ``internal/wire``.

This module is imported before the hello frame leaves, so it imports nothing that
the interpreter has not loaded by then.
"""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from _thread import allocate_lock, get_ident, start_new_thread

from hotcell_guard import __version__

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, Final, NoReturn

    # The constants of what is sealed here.
    IS_WRITING: Any
    KIND: bytes
    RECEIVE: Any
    SEND: Any

__all__ = [
    "EXIT_FAULT",
    "INTERRUPT",
    "HIGHEST_DESCRIPTOR",
    "LOWEST_DESCRIPTOR",
    "MAX_PREPARE",
    "MAX_CHUNK",
    "MAX_QUESTION",
    "MAX_START",
    "PROTOCOL",
    "Channel",
    "EndingError",
    "GuardFault",
    "ProtocolFault",
    "die",
    "frame",
    "hello",
    "take_channel",
]

PROTOCOL: Final = 7
MAX_START: Final = 1 << 20
MAX_PREPARE: Final = 2 << 20
MAX_CHUNK: Final = 64 << 10
MAX_QUESTION: Final = 256 << 10

INTERRUPT: Final = b"X"
_INTERRUPT_BYTES: Final = 8

EXIT_FAULT: Final = 70
"""Exit code of a guard that cannot go on (EX_SOFTWARE of sysexits.h)."""

_HEADER: Final = 5
LOWEST_DESCRIPTOR: Final = 20
"""From here on are the protocol's: below are those that libraries may open by number."""
# RLIMIT_NOFILE of a sandbox is far below; close_range(2) makes the width free.
HIGHEST_DESCRIPTOR: Final = 1 << 16


class GuardFault(Exception):
    """The guard cannot go on. The text is its own and quotes no data; kind stands before it."""

    kind = "guard fault"


class ProtocolFault(GuardFault):
    """The host sent what the protocol does not allow."""

    kind = "protocol fault"


class EndingError(BaseException):
    """The process ends as soon as the frame that is being written is complete."""


class Channel:
    """The two protocol descriptors. Sending is thread-safe and never deadlocks.

    A frame is queued first; whoever holds the lock writes all that is queued. So
    code that runs inside a write of the same thread (a finaliser that prints)
    neither waits for itself nor puts a frame into the middle of another.
    """

    def __init__(self, incoming: int, outgoing: int, is_socket: bool = False) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self.is_socket = is_socket
        """Whether the host can send descriptors, as it does to a template."""
        self._pending: list[bytes] = []  # append and pop are atomic
        self._last: bytes | None = None
        self._lock = allocate_lock()
        self._owner = 0  # the thread that writes
        self._inbox: _Inbox | None = None  # of what the reader has read, once there is one
        # Python's own, which others cannot use for these descriptors any more (_absence).
        self._os_read, self._os_write, self._os_close = os.read, os.write, os.close

    @property
    def descriptors(self) -> frozenset[int]:
        """Descriptors that the run's code must not open by number."""
        return frozenset((self._incoming, self._outgoing))

    @property
    def writing(self) -> bool:
        """Tell whether this thread is inside a write: what it sends now waits for that."""
        return self._owner == get_ident()

    def sender(self, kind: bytes) -> Callable[[bytes], None]:
        """Return what sends frames of this kind, for what a script can reach: nothing leads from it to the channel."""
        from hotcell_guard.speaking._seal import door  # after the hello frame

        return door(_send_kind, SEND=self.send, KIND=kind)  # type: ignore[no-any-return]

    def asker(self) -> Callable[[bytes, int], bytes]:
        """Return what sends a tool call and reads its answer, for what a script can reach."""
        from hotcell_guard.speaking._seal import door  # after the hello frame

        return door(_ask, SEND=self.send, RECEIVE=self.receive)  # type: ignore[no-any-return]

    def is_writing(self) -> Callable[[], bool]:
        """Return what tells whether this thread is inside a write, for what a script can reach."""
        from hotcell_guard.speaking._seal import door  # after the hello frame

        return door(_is_writing, IS_WRITING=self._writes)  # type: ignore[no-any-return]

    def _writes(self) -> bool:
        return self.writing

    def receive_first(self, limits: Mapping[bytes, int]) -> tuple[bytes, bytes]:
        """Read one frame of one of these kinds, each with its own limit, and return its kind, too."""
        header = self._read(_HEADER)
        kind = header[:1] if header[:1] in limits else min(limits)
        return kind, self._payload(header, kind, limits[kind])

    def receive(self, kind: bytes, limit: int) -> bytes:
        """Read one frame of this kind, at most limit bytes of payload."""
        if self._inbox is None:
            return self._payload(self._read(_HEADER), kind, limit)
        found = self._inbox.take((kind,))
        if found is None:
            raise ProtocolFault(f"the stream ended before a frame of type {kind!r}")
        return found[1]

    def receive_or_end(self, limits: Mapping[bytes, int]) -> tuple[bytes, bytes] | None:
        """Read one frame of one of these kinds, each with its own limit, and return its kind, too.

        None means that the stream ends in front of it. Late interrupts are passed over.
        """
        if self._inbox is not None:
            return self._inbox.take(limits)
        while first := self._os_read(self._incoming, 1):
            header = first + self._read(_HEADER - 1)
            if header[:1] != INTERRUPT:
                kind = header[:1] if header[:1] in limits else min(limits)
                return kind, self._payload(header, kind, limits[kind])
            self._payload(header, INTERRUPT, _INTERRUPT_BYTES)
        return None

    def listen(self, limits: Mapping[bytes, int], note: Callable[[bytes], None]) -> None:
        """Have a thread of its own read from now on: interrupts are for note, all else for who receives, within limits."""
        self._inbox = _Inbox()
        start_new_thread(self._read_on, (self._inbox, {**limits, INTERRUPT: _INTERRUPT_BYTES}, note))

    def _read_on(self, inbox: _Inbox, limits: Mapping[bytes, int], note: Callable[[bytes], None]) -> None:
        try:
            while first := self._os_read(self._incoming, 1):
                header = first + self._read(_HEADER - 1)
                kind = header[:1] if header[:1] in limits else min(limits)
                payload = self._payload(header, kind, limits[kind])
                if kind == INTERRUPT:
                    note(payload)
                else:
                    inbox.put(kind, payload)
            inbox.put(b"", None)
        except GuardFault as fault:
            die(f"{fault.kind}: {fault}")
        except BaseException as fault:  # pylint: disable=broad-exception-caught  # nothing reads any more
            die(f"internal fault: {type(fault).__name__} while reading")

    def _payload(self, header: bytes, kind: bytes, limit: int) -> bytes:
        size = int.from_bytes(header[1:], "big")
        if header[:1] != kind:
            raise ProtocolFault(f"expected a frame of type {kind!r}, got {header[:1]!r}")
        if size > limit:
            raise ProtocolFault(f"frame {kind!r} of {size} bytes is over the limit of {limit}")
        return self._read(size)

    def send(self, kind: bytes, payload: bytes) -> None:
        """Queue one frame and write what is queued, unless somebody is at it."""
        self._pending.append(frame(kind, payload))
        while self._pending and self._lock.acquire(blocking=False):
            self._owner = get_ident()
            try:
                self._drain()
            finally:
                self._owner = 0
                self._lock.release()

    def finish(self, kind: bytes, payload: bytes) -> NoReturn:
        """Write all that is queued and this frame, and end the process with 0.

        The lock is kept: no thread of the run's code can write after the report,
        and no exit handler runs. Raises EndingError inside a write of this thread.
        """
        last = frame(kind, payload)
        if self.writing:  # a finaliser of the script, in the middle of another frame
            self._last = last
            raise EndingError
        self._lock.acquire()
        self._last = last
        self._drain()
        raise AssertionError("unreachable")

    def close_incoming(self) -> None:
        """Close the host's direction: nothing more is expected."""
        self._os_close(self._incoming)

    def _drain(self) -> None:
        while self._pending:
            self._write(self._pending.pop(0))
        if self._last is not None:
            self._write(self._last)
            os._exit(0)

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            part = self._os_read(self._incoming, min(size, 1 << 20))
            if not part:
                raise ProtocolFault("the stream ended inside a frame")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[self._os_write(self._outgoing, view) :]
        except OSError:
            # The host is gone or has closed the stream: there is nobody left to
            # work for, and a torn frame must not be followed by another.
            os._exit(EXIT_FAULT)


class _Inbox:
    """What one thread has read and another takes, in its order. One thread takes at a time."""

    def __init__(self) -> None:
        self._frames: list[tuple[bytes, bytes | None]] = []  # append and pop are atomic
        self._arrived = allocate_lock()
        self._arrived.acquire()

    def put(self, kind: bytes, payload: bytes | None) -> None:
        """Add a frame; None is the end of the stream."""
        self._frames.append((kind, payload))
        if self._arrived.locked():
            self._arrived.release()

    def take(self, kinds: Collection[bytes]) -> tuple[bytes, bytes] | None:
        """Wait for a frame of one of these kinds; None is the end of the stream. Signals are handled meanwhile."""
        while not self._frames:
            self._arrived.acquire()
        found, payload = self._frames.pop(0)
        if payload is None:
            return None
        if found not in kinds:
            raise ProtocolFault(f"expected a frame of type {min(kinds)!r}, got {found!r}")
        return found, payload


def _send_kind(payload: bytes) -> None:
    if type(payload) is not bytes:
        raise TypeError("a frame holds bytes")
    SEND(KIND, payload)


def _ask(payload: bytes, limit: int) -> bytes:
    if type(payload) is not bytes or type(limit) is not int:
        raise TypeError("a call holds bytes")
    SEND(b"T", payload)
    return RECEIVE(b"A", limit)  # type: ignore[no-any-return]


def _is_writing() -> bool:
    return IS_WRITING()  # type: ignore[no-any-return]


def frame(kind: bytes, payload: bytes) -> bytes:
    """Return one frame as it goes over the wire."""
    return kind + len(payload).to_bytes(4, "big") + payload


def hello() -> bytes:
    """Return what the guard says of itself, first of all."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    return f'{{"protocol":{PROTOCOL},"guard":"{__version__}","python":"{python}"}}'.encode("ascii")


def die(reason: str) -> NoReturn:
    """End the process as a fault, with the reason in one line on descriptor 2."""
    line = f"hotcell_guard: {reason}".encode("ascii", "backslashreplace").replace(b"\n", b" ")
    os.write(2, line[:1000] + b"\n")
    os._exit(EXIT_FAULT)


def take_channel() -> Channel:
    """Move the protocol away from descriptors 0 and 1 and close all others.

    Afterwards 0 is /dev/null and 1 is 2, so that whatever native code prints goes
    to the raw error stream of the container, and nothing inherited is open.
    """
    incoming = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    low = 3
    for kept in sorted((incoming, outgoing)):
        os.closerange(low, kept)
        low = kept + 1
    os.closerange(low, HIGHEST_DESCRIPTOR)
    return Channel(incoming, outgoing, stat.S_ISSOCK(os.fstat(incoming).st_mode))
