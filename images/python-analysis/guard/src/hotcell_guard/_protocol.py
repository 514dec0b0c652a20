"""Frames between host and guard; the contract is the host's ``internal/wire``.

This module is imported before the hello frame leaves, so it imports nothing that
the interpreter has not loaded by then.
"""

from __future__ import annotations

import fcntl
import os
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

__all__ = ["EXIT_FAULT", "MAX_CHUNK", "MAX_START", "PROTOCOL", "Channel", "ProtocolFault", "take_channel"]

PROTOCOL: Final = 1
MAX_START: Final = 1 << 20
MAX_CHUNK: Final = 64 << 10

EXIT_FAULT: Final = 70
"""Exit code of a guard that cannot go on (EX_SOFTWARE of sysexits.h)."""

_HEADER: Final = 5
_LOWEST_DESCRIPTOR: Final = 20
# RLIMIT_NOFILE of a sandbox is far below; close_range(2) makes the width free.
_HIGHEST_DESCRIPTOR: Final = 1 << 16


class ProtocolFault(Exception):
    """The host sent what the protocol does not allow."""


class Channel:
    """The two protocol descriptors. Sending is thread-safe and never deadlocks.

    A frame is queued first; whoever holds the lock writes all that is queued. So
    code that runs inside a write of the same thread (a finaliser that prints)
    neither waits for itself nor puts a frame into the middle of another.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._pending: list[bytes] = []  # append and pop are atomic
        self._lock = allocate_lock()

    @property
    def descriptors(self) -> frozenset[int]:
        """Descriptors that the run's code must not open by number."""
        return frozenset((self._incoming, self._outgoing))

    def receive(self, kind: bytes, limit: int) -> bytes:
        """Read one frame of this kind, at most limit bytes of payload."""
        header = self._read(_HEADER)
        size = int.from_bytes(header[1:], "big")
        if header[:1] != kind:
            raise ProtocolFault(f"expected a frame of type {kind!r}, got {header[:1]!r}")
        if size > limit:
            raise ProtocolFault(f"frame {kind!r} of {size} bytes is over the limit of {limit}")
        return self._read(size)

    def send(self, kind: bytes, payload: bytes) -> None:
        """Queue one frame and write what is queued, unless somebody is at it."""
        self._pending.append(_frame(kind, payload))
        while self._pending and self._lock.acquire(blocking=False):
            try:
                self._drain()
            finally:
                self._lock.release()

    def finish(self, kind: bytes, payload: bytes) -> NoReturn:
        """Write all that is queued and this frame, and end the process with 0.

        The lock is kept: no thread of the run's code can write after the report,
        and no exit handler runs.
        """
        self._lock.acquire()
        self._drain()
        self._write(_frame(kind, payload))
        os._exit(0)

    def close_incoming(self) -> None:
        """Close the host's direction: nothing more is expected."""
        os.close(self._incoming)

    def _drain(self) -> None:
        while self._pending:
            self._write(self._pending.pop(0))

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            part = os.read(self._incoming, min(size, 1 << 20))
            if not part:
                raise ProtocolFault("the stream ended inside a frame")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._outgoing, view) :]
        except OSError:
            # The host is gone or has closed the stream: there is nobody left to
            # work for, and a torn frame must not be followed by another.
            os._exit(EXIT_FAULT)


def _frame(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def take_channel() -> Channel:
    """Move the protocol away from descriptors 0 and 1 and close all others.

    Afterwards 0 is /dev/null and 1 is 2, so that whatever native code prints goes
    to the raw error stream of the container, and nothing inherited is open.
    """
    incoming = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    low = 3
    for kept in sorted((incoming, outgoing)):
        os.closerange(low, kept)
        low = kept + 1
    os.closerange(low, _HIGHEST_DESCRIPTOR)
    return Channel(incoming, outgoing)
