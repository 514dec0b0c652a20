"""``gc`` for the script: it may be told to collect. What the collector knows of objects is not shown: it knows all."""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["contents"]


def contents() -> dict[str, object]:
    """Return what the module holds."""

    def collect(generation: int = 2) -> int:
        """Collect what nothing leads to any more, and return how many objects that were."""
        return gc.collect(int.__index__(generation))

    def enable() -> None:
        """Have it collect by itself."""
        gc.enable()

    def disable() -> None:
        """Have it collect when it is told to, and not by itself. The run's memory stays bounded."""
        gc.disable()

    def isenabled() -> bool:
        """Tell whether it collects by itself."""
        return gc.isenabled()

    def get_count() -> tuple[int, int, int]:
        """Return how many objects each generation counts."""
        return gc.get_count()

    def get_threshold() -> tuple[int, int, int]:
        """Return at which counts it collects."""
        return gc.get_threshold()

    def get_stats() -> list[dict[str, int]]:
        """Return how often each generation was collected."""
        return gc.get_stats()

    def is_tracked(obj: Any, /) -> bool:
        """Tell whether the collector looks at an object."""
        return gc.is_tracked(obj)

    every: tuple[Any, ...] = collect, enable, disable, isenabled, get_count, get_threshold, get_stats, is_tracked
    return {each.__name__: each for each in every}
