"""Whether a library is being imported: what it does to its own classes then is its own.

Libraries make classes and set attributes by name while they are imported, some of them
when a script is long under way. What the script left for others to call must not run
in the middle of that and count as the library: the stream that a warning is written to,
a logging handler, what the collector finds dead. So an import is quiet: the collector
rests, nothing is logged, and the streams are the guard's own.
"""

from __future__ import annotations

import gc
import sys
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType
    from typing import Any, Final

__all__ = ["be_quiet", "is_importing"]

_BOOTSTRAP: Final = "importlib._bootstrap"


def is_importing(namespace: Mapping[str, object]) -> bool:
    """Tell whether a library that is being imported runs, and not what the script called.

    namespace is the script's globals.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals is not namespace:
        if frame.f_globals.get("__name__") == _BOOTSTRAP:
            return True
        frame = frame.f_back
    return False


def be_quiet() -> None:
    """Make every import of this process a quiet one, from now on."""
    bootstrap: Any = sys.modules["_frozen_importlib"]
    bootstrap._find_and_load = _quiet(bootstrap._find_and_load)


def _quiet(load: Callable[..., Any]) -> Callable[..., Any]:
    lock, depth, collected, level = allocate_lock(), 0, False, 0

    def enter() -> None:
        nonlocal depth, collected, level
        with lock:
            depth += 1
            if depth == 1:
                collected, level = gc.isenabled(), _silence(None)
                gc.disable()

    def leave() -> None:
        nonlocal depth
        with lock:
            depth -= 1
            if depth == 0:
                _silence(level)
                if collected:
                    gc.enable()

    def find_and_load(name: str, importer: Any) -> Any:
        """Find and load a module that is not there yet."""
        held = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        enter()
        try:
            return load(name, importer)
        finally:
            leave()
            sys.stdout, sys.stderr = held

    return find_and_load


def _silence(level: int | None) -> int:
    """Log nothing, or from the level on again. Returns the level that was."""
    logging = sys.modules.get("logging")
    manager = getattr(getattr(logging, "root", None), "manager", None)
    if logging is None or manager is None:
        return 0
    held: int = manager.disable
    logging.disable(logging.CRITICAL if level is None else level)
    return held
