"""The two sides compared, and the list of known differences."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.benign.harvest import Example
from tests.benign.sides import Ending, Sides, Task

REQUIRED = 0.99
"""What must run under the guard, of what runs under plain Python."""

OUTPUT = "prints something else"
_REPEATS = 3


@dataclass(slots=True)
class Comparison:
    """What became of a set of scripts. differences holds the fault by name."""

    chosen: int = 0
    plain: dict[str, Ending] = field(default_factory=dict)
    guarded: dict[str, Ending] = field(default_factory=dict)
    repeatable: int = 0
    differences: dict[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many ran under plain Python only."""
        return sum(1 for ending in self.guarded.values() if ending.fault)

    @property
    def rate(self) -> float:
        """The part that runs under the guard, of what runs under plain Python."""
        return 1 - self.failed / len(self.guarded) if self.guarded else 0.0

    def table(self) -> str:
        """Return the figures as text."""
        other = sum(1 for fault in self.differences.values() if fault == OUTPUT)
        same = self.repeatable - other
        return (
            f"{self.chosen:6} scripts\n"
            f"{len(self.guarded):6} run under plain Python\n"
            f"{len(self.guarded) - self.failed:6} run under the guard, {self.rate:.2%}\n"
            f"{self.repeatable:6} of them print the same twice under plain Python\n"
            f"{same:6} print the same under the guard, {same / max(self.repeatable, 1):.2%}"
        )


def compare(sides: Sides, scripts: Sequence[Example]) -> Comparison:
    """Run scripts on both sides; under the guard only those that run without."""
    sources = {script.name: script.source for script in scripts}
    found = Comparison(len(scripts))
    found.plain = _run(sides, sources, sources, guarded=False)
    running = [name for name in sources if not found.plain[name].fault]
    found.guarded = _run(sides, sources, running, guarded=True)
    unlike = [name for name in running if _runs(found, name) and not _alike(found, name)]
    steady = _repeatable(sides, sources, unlike, found.plain)
    found.repeatable = len(running) - found.failed - len(unlike) + len(steady)
    found.differences = {name: ending.fault for name, ending in found.guarded.items() if ending.fault}
    found.differences |= dict.fromkeys(steady, OUTPUT)
    return found


def _run(sides: Sides, sources: Mapping[str, str], names: Iterable[str], *, guarded: bool) -> dict[str, Ending]:
    tasks = (Task(name, sources[name], guarded) for name in names)
    return {task.name: ending for task, ending in sides.run(tasks)}


def _runs(found: Comparison, name: str) -> bool:
    return not found.guarded[name].fault


def _alike(found: Comparison, name: str) -> bool:
    return found.guarded[name].stdout == found.plain[name].stdout


def _repeatable(
    sides: Sides, sources: Mapping[str, str], names: list[str], first: Mapping[str, Ending]
) -> list[str]:
    """Return the names whose output is the same whenever plain Python runs them."""
    for _ in range(_REPEATS):
        again = _run(sides, sources, names, guarded=False)
        names = [name for name in names if again[name] == first[name]]
    return names


@dataclass(frozen=True, slots=True)
class Known:
    """Scripts that differ for one reason. The fault of each holds one of faults.

    sometimes is for what only chance makes alike, such as memory nobody has set.
    """

    reason: str
    faults: tuple[str, ...]
    scripts: frozenset[str]
    sometimes: bool = False


def read_known(path: Path) -> list[Known]:
    """Read the list of known differences."""
    return [
        Known(group["reason"], tuple(group["faults"]), frozenset(group["scripts"]), group.get("sometimes", False))
        for group in tomllib.loads(path.read_text(encoding="utf-8"))["difference"]
    ]


def verdicts(found: Comparison, known: Sequence[Known]) -> Iterator[str]:
    """Yield a line for each difference that is not listed, and each listed one that is none."""
    for name, fault in sorted(found.differences.items()):
        if not any(name in group.scripts and _told(fault, group.faults) for group in known):
            yield f"{name}: {fault[:500]}"
    for group in known:
        gone = () if group.sometimes else sorted(group.scripts & found.plain.keys() - found.differences.keys())
        for name in gone:
            yield f"{name}: listed as {group.reason!r}, but there is no difference"


def _told(fault: str, parts: Iterable[str]) -> bool:
    return any(part in fault for part in parts)


def summary(found: Comparison, known: Sequence[Known]) -> str:
    """Return how many of the scripts differ for which of the known reasons."""
    counts = [(len(group.scripts & found.differences.keys()), group.reason) for group in known]
    return "\n".join(f"{count:6} {reason}" for count, reason in sorted(counts, reverse=True) if count)
