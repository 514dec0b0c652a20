"""``tracemalloc`` for the script: how much Python has allocated, and at which lines. The tracer gives numbers and texts."""

from __future__ import annotations

import fnmatch
import itertools

import _tracemalloc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Final

    Traces = list[tuple[int, tuple[tuple[str, int], ...]]]

__all__ = ["contents"]

_MOST_FRAMES: Final = 16
_start: Final = _tracemalloc.start  # the guard takes these from everybody else
_stop: Final = _tracemalloc.stop
_traces: Final = _tracemalloc._get_traces
_KEYS: Final = {"lineno": 1, "filename": 0, "traceback": 2}
_UNITS: Final = ("B", "KiB", "MiB", "GiB")


def contents() -> dict[str, object]:
    """Return what the module holds."""

    def start(nframe: int = 1, /) -> None:
        """Begin to trace what is allocated, with up to 16 lines of those who asked for each."""
        exact = int.__index__(nframe)
        if exact < 1:
            raise ValueError("the number of frames must be in range [1; 65535]")
        _start(min(exact, _MOST_FRAMES))

    def stop() -> None:
        """End it."""
        _stop()

    def is_tracing() -> bool:
        """Tell whether it is going on."""
        return _tracemalloc.is_tracing()

    def get_traced_memory() -> tuple[int, int]:
        """Return how many bytes are allocated, and how many were at most."""
        return _tracemalloc.get_traced_memory()

    def reset_peak() -> None:
        """Let what is allocated now be the most."""
        _tracemalloc.reset_peak()

    def clear_traces() -> None:
        """Forget what is allocated."""
        _tracemalloc.clear_traces()

    def get_tracemalloc_memory() -> int:
        """Return how many bytes the tracer itself takes."""
        return _tracemalloc.get_tracemalloc_memory()

    def get_traceback_limit() -> int:
        """Return how many lines are kept of each."""
        return _tracemalloc.get_traceback_limit()

    def take_snapshot() -> Snapshot:
        """Return what is allocated now, by the lines that asked for it."""
        if not _tracemalloc.is_tracing():
            raise RuntimeError("the tracemalloc module must be tracing memory allocations to take a snapshot")
        return Snapshot([(each[1], tuple(each[2])) for each in _traces()])

    counts: tuple[Any, ...] = (get_traced_memory, reset_peak, clear_traces, get_tracemalloc_memory, get_traceback_limit)
    every = start, stop, is_tracing, *counts, take_snapshot
    return {each.__name__: each for each in every} | {"Filter": Filter, "Snapshot": Snapshot}


class Filter:
    """Which lines count."""

    def __init__(
        self, inclusive: bool, filename_pattern: str, lineno: int | None = None,
        all_frames: bool = False, domain: int | None = None,
    ) -> None:  # fmt: skip
        self.inclusive, self.filename_pattern, self.lineno = bool(inclusive), str(filename_pattern), lineno
        self.all_frames, self.domain = all_frames, domain  # each trace is of one frame, of Python alone


class Frame:
    """A line of a file."""

    def __init__(self, place: tuple[str, int]) -> None:
        self.filename, self.lineno = place

    def __repr__(self) -> str:
        return f"<Frame filename={self.filename!r} lineno={self.lineno}>"

    def __str__(self) -> str:
        return f"{self.filename}:{self.lineno}"


class Traceback(tuple):  # type: ignore[type-arg]  # no typing at run time
    """The lines that asked for memory, the last call last."""

    __slots__ = ()

    def format(self, *_: object, **__: object) -> list[str]:
        """Return the lines as texts."""
        return [f'  File "{each.filename}", line {each.lineno}' for each in self]

    def __str__(self) -> str:
        return str(self[0]) if self else "<unknown>"


class Statistic:
    """What was allocated at one place; compared with before, how much more that is."""

    def __init__(self, places: Sequence[tuple[str, int]], size: int, count: int) -> None:
        self.traceback = Traceback(map(Frame, reversed(places)))
        self.size, self.count = size, count
        self.size_diff = self.count_diff = 0
        self.average = size / count if count else 0

    def __str__(self) -> str:
        text = f"{self.traceback}: size={_size(self.size)}, count={self.count}"
        return f"{text}, average={_size(self.average)}" if self.count else text


class Difference(Statistic):
    """What was allocated at one place, and how much more that is than before."""

    def __str__(self) -> str:
        changed = f"size={_size(self.size)} ({_size(self.size_diff, sign=True)}), count={self.count} ({self.count_diff:+})"
        return f"{self.traceback}: {changed}" + (f", average={_size(self.average)}" if self.count else "")


class Snapshot:
    """What was allocated at one time."""

    def __init__(self, traces: Traces) -> None:
        self._found = traces

    def statistics(self, key_type: str, cumulative: bool = False) -> list[Statistic]:
        """Return what was allocated at each line, file or traceback, the most first."""
        return sorted(self._grouped(key_type, Statistic).values(), key=lambda each: (-each.size, -each.count))

    def compare_to(self, old_snapshot: Snapshot, key_type: str, cumulative: bool = False) -> list[Statistic]:
        """Return the same with how much more it is than in an earlier snapshot, the greatest difference first."""
        now, before = self._grouped(key_type, Difference), old_snapshot._grouped(key_type, Difference)
        for key in before.keys() - now.keys():
            now[key] = Difference([(each.filename, each.lineno) for each in reversed(before[key].traceback)], 0, 0)
        for key, each in now.items():
            old = before.get(key)
            each.size_diff, each.count_diff = each.size - (old.size if old else 0), each.count - (old.count if old else 0)
        return sorted(now.values(), key=lambda each: (-abs(each.size_diff), -each.size))

    def filter_traces(self, filters: Iterable[Filter]) -> Snapshot:
        """Return the snapshot without what the filters leave out."""
        kinds = [[each for each in filters if each.inclusive is included] for included in (True, False)]
        kept = [each for each in self._found if not kinds[0] or any(_matches(one, each[1]) for one in kinds[0])]
        return Snapshot([each for each in kept if not any(_matches(one, each[1]) for one in kinds[1])])

    def _grouped(self, key_type: str, kind: type[Statistic]) -> dict[Any, Statistic]:
        if key_type not in _KEYS:
            raise ValueError(f"unknown key_type: {key_type!r}")
        chosen = sorted(((_key(key_type, frames), size) for size, frames in self._found), key=lambda each: each[0])
        groups = {key: [size for _, size in found] for key, found in itertools.groupby(chosen, lambda each: each[0])}
        return {key: kind(key, sum(sizes), len(sizes)) for key, sizes in groups.items()}


def _key(key_type: str, frames: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    last = frames[:1]
    return frames if key_type == "traceback" else last if key_type == "lineno" else tuple((name, 0) for name, _ in last)


def _matches(one: Filter, frames: tuple[tuple[str, int], ...]) -> bool:
    return any(fnmatch.fnmatch(name, one.filename_pattern) and one.lineno in (None, line) for name, line in frames[:1])


def _size(size: float, *, sign: bool = False) -> str:
    """Return a number of bytes in words."""
    for unit in _UNITS:
        if abs(size) < 100 and unit != "B":
            return f"{size:{'+' if sign else ''}.1f} {unit}"
        if abs(size) < 10 * 1024 or unit == _UNITS[-1]:
            return f"{size:{'+' if sign else ''}.0f} {unit}"
        size /= 1024
    raise AssertionError
