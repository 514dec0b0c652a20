"""What was seeded or noted when it was imported, made anew in what is forked.

Two forks of one template must not draw the same numbers, share a secret, or take the
template's process and beginning for their own. What reads the kernel's randomness
whenever it is asked (uuid, secrets, tempfile, default_rng) needs nothing; Python's
hashes have no salt, so that a run can be repeated (PYTHONHASHSEED in the environment).
A script that gives a seed of its own finds the same numbers in every fork. For one that
gives none, random and numpy's own generator begin with the run's seed, which its record
has: a run that is made again with it draws the same.

tests/integration searches what forks have in common, and fails when there is more.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.speaking._start import Start

__all__ = ["Seeds", "begin", "reseed"]


def reseed() -> None:
    """Make anew what modules keep for everybody."""
    for name, renew in _KEPT.items():
        if name in sys.modules:
            renew(vars(sys.modules[name]))


def begin() -> None:
    """Note that the run begins: what was forked may have waited for it for long."""
    if "logging" in sys.modules:
        _beginning(vars(sys.modules["logging"]))


class Seeds:
    """Seeds with a run's number what draws without a seed of the script's: once each, also what is loaded later."""

    __slots__ = ("_left", "_start")

    def __init__(self, start: Start) -> None:
        self._start = start  # whose seed is 0 until there is a run
        self._left = dict(_SEEDED)

    def __call__(self) -> None:
        """Seed what is loaded by now, and was not seeded before."""
        seed = self._start.seed
        for name in [name for name in self._left if seed and name in sys.modules]:
            self._left.pop(name)(vars(sys.modules[name]), seed)


def _seed_random(names: dict[str, Any], seed: int) -> None:
    names["_inst"].seed(seed)


def _seed_numpy(names: dict[str, Any], seed: int) -> None:
    names["_rand"].seed([seed & 0xFFFFFFFF, seed >> 32])  # it takes words of 32 bits


_SEEDED: Final[dict[str, Callable[[dict[str, Any], int], None]]] = {"random": _seed_random, "numpy.random.mtrand": _seed_numpy}


def _random(names: dict[str, Any]) -> None:
    names["_inst"].seed()


def _numpy(names: dict[str, Any]) -> None:
    names["_rand"].seed()


def _secret(names: dict[str, Any]) -> None:
    """Processes that a fork starts would prove to each other by it whose they are."""
    vars(names["_current_process"])["_config"]["authkey"] = names["AuthenticationString"](os.urandom(32))


def _beginning(names: dict[str, Any]) -> None:
    """A log tells times from when logging was imported."""
    names["_startTime"] = names["time"].time_ns()


def _own_file(names: dict[str, Any]) -> None:
    """numpy.testing reads the memory and the time of the process that has imported it."""
    for name in ("jiffies", "memusage"):
        first, *others = names[name].__defaults__
        if not first.startswith("/proc/"):
            raise RuntimeError(f"numpy.testing.{name} reads {first!r}, which is no process's")
        names[name].__defaults__ = (f"/proc/{os.getpid()}/stat", *others)


_KEPT: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "random": _random,
    "numpy.random.mtrand": _numpy,
    "multiprocessing.process": _secret,
    "numpy.testing._private.utils": _own_file,
}
