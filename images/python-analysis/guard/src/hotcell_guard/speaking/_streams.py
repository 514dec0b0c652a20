"""The script's stdout and stderr: sent as they are written, up to a cap."""

from __future__ import annotations

import codecs
import io
from _thread import RLock

from hotcell_guard.speaking._protocol import MAX_CHUNK, Channel
from hotcell_guard.speaking._threads import Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.speaking._start import Limits

__all__ = ["ByteStream", "Output", "OutputStream", "Sink", "cut"]

_FLUSH_AT: Final = 8 << 10
_LEFT: Final = (
    "{count} {threads} of earlier steps ran during this one, and could change what it computes and prints: "
    "wait for a thread (join) in the step that starts it"
)
_STRANGE: Final = "threads of earlier steps have printed {count} bytes, which are in no step's output"


def _is_anybodys() -> bool:
    return True


class Sink:
    """Where one stream's text goes: frames of one type. Thread-safe.

    It is line-buffered. After limit bytes in one step the rest is dropped and
    ``truncated`` is set. What a thread writes that an earlier step has left is
    dropped and counted.
    """

    def __init__(self, channel: Channel, kind: bytes, limit: int, is_own: Callable[[], bool] = _is_anybodys) -> None:
        self._deliver = channel.sender(kind)
        self._is_own = is_own  # whether who writes belongs to the step
        self._limit = limit
        self._left = limit
        self._open = False
        self._chunks: list[bytes] = []
        self._buffered = 0
        self._lock = RLock()
        self.truncated = False
        self.strange = 0  # bytes that were dropped because they are no part of any step

    def allow(self, limit: int) -> None:
        """Set how many bytes each step may send, before the first. What waits for it counts as its own."""
        with self._lock:
            waiting, self._chunks, self._buffered = b"".join(self._chunks), [], 0
            self._limit = self._left = limit
            self._keep(waiting)

    @property
    def used(self) -> bool:
        """Whether this step has written anything."""
        return self.truncated or self._left < self._limit

    def begin(self) -> None:
        """Begin a step: what is written may be sent."""
        with self._lock:
            self._open = True

    def end(self) -> bool:
        """End the step and tell whether its text was cut."""
        with self._lock:
            self._send()
            truncated = self.truncated
            self._left, self._open, self.truncated = self._limit, False, False
        return truncated

    def write(self, text: str, /) -> int:
        """Buffer text; send it at the end of a line or when 8 KiB have gathered."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        data = str.encode(text, "utf-8", "replace")
        with self._lock:
            if not self._is_own():
                self.strange += len(data)
                return str.__len__(text)
            self._keep(data)
            if self._buffered >= _FLUSH_AT or b"\n" in data:
                self._send()
        return str.__len__(text)

    def flush(self) -> None:
        """Send what is buffered."""
        with self._lock:
            self._send()

    def flush_within(self, seconds: float) -> None:
        """Send what is buffered unless another thread is inside a write for that long."""
        if self._lock.acquire(timeout=seconds):
            try:
                self._send()
            finally:
                self._lock.release()

    def _keep(self, data: bytes) -> None:
        if len(data) > self._left:
            data = data[: cut(data, self._left)]
            self._left = 0
            self.truncated = True
        else:
            self._left -= len(data)
        self._chunks.append(data)
        self._buffered += len(data)

    def _send(self) -> None:
        if not self._open:
            return
        # Swapped before it is joined: a finaliser of this thread may write meanwhile.
        chunks, self._chunks, self._buffered = self._chunks, [], 0
        data = b"".join(chunks)
        start = 0
        while start < len(data):
            end = start + cut(data[start : start + MAX_CHUNK + 1], MAX_CHUNK)
            self._deliver(data[start:end])
            start = end


class Output:
    """stdout and stderr of the scripts, one step after the other.

    Where nothing follows the threads, as in an unguarded run, what anyone of them writes is the step's that runs.
    """

    def __init__(self, channel: Channel, limits: Limits, *, follows: bool) -> None:
        self._steps = Steps()
        is_own = self._steps.runs_here if follows else _is_anybodys
        self.stdout = Sink(channel, b"O", limits.stdout_bytes, is_own)
        self.stderr = Sink(channel, b"E", limits.stderr_bytes, is_own)
        self.follow = self._steps.follow

    def allow(self, limits: Limits) -> None:
        """Set how many bytes each step may send, before the first."""
        self.stdout.allow(limits.stdout_bytes)
        self.stderr.allow(limits.stderr_bytes)

    def begin(self, step: int) -> None:
        """Begin a step: what it writes may be sent."""
        self._steps.begin(step)
        self.stdout.begin()
        self.stderr.begin()

    def end(self) -> tuple[dict[str, bool], list[str]]:
        """End the step, and tell what of it was cut, and what those have done who belong to another."""
        left = self._steps.end()
        truncated = {"stdout": self.stdout.end(), "stderr": self.stderr.end()}
        strange = self.stdout.strange + self.stderr.strange
        self.stdout.strange = self.stderr.strange = 0
        told = [_LEFT.format(count=left, threads="thread" if left == 1 else "threads")] if left else []
        if strange:
            told.append(_STRANGE.format(count=strange))
        return truncated, told

    def flush_within(self, seconds: float) -> None:
        """Send what is buffered unless other threads are inside a write for that long."""
        self.stdout.flush_within(seconds)
        self.stderr.flush_within(seconds)


def _functions(sink: Sink) -> tuple[Callable[[str], int], Callable[[], None]]:
    """Return what writes and what flushes. Of a bound method a library tells what it is bound to (weakref.WeakMethod)."""

    def write(text: str, /) -> int:
        """Write text."""
        return sink.write(text)

    def flush() -> None:
        """Send what is buffered."""
        sink.flush()

    return write, flush


class ByteStream(io.BufferedIOBase):
    """What takes the bytes of a text stream: UTF-8, of which the beginning of a character waits for its end."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode

        def write(data: Any, /) -> int:
            """Write bytes."""
            exact = bytes(memoryview(data))
            sink.write(decode(exact))
            return len(exact)

        self.write = write  # type: ignore[method-assign]
        self.flush = _functions(sink)[1]  # type: ignore[method-assign]

    def writable(self) -> bool:
        """Tell that this stream can be written."""
        return True


class OutputStream(io.TextIOBase):
    """The text stream that a script finds, for example in a logging handler.

    It holds no attribute of the guard's: inside a method of a class of its own a
    script may spell private names, so the channel would be within its reach.
    """

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self.write, self.flush = _functions(sink)  # type: ignore[method-assign]
        self.buffer = ByteStream(sink)

    def reconfigure(self, **options: object) -> None:
        """Accept what can be told to a terminal's stream: it is UTF-8, and sent at the end of each line."""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # typeshed has an attribute here
        """Always UTF-8; what cannot be encoded becomes a question mark."""
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """How lone surrogates are treated."""
        return "replace"

    def writable(self) -> bool:
        """Tell that this stream can be written."""
        return True


def cut(data: bytes, size: int) -> int:
    """Return the greatest length up to size that ends between two characters.

    data is valid UTF-8 as far as it goes.
    """
    if len(data) <= size:
        return len(data)
    while size > 0 and data[size] & 0xC0 == 0x80:
        size -= 1
    return size
