#!/usr/bin/python3
"""Prints what the guard costs, beside plain Python, in one table.

    python3 -sB bench.py [--rounds N]

For the image's Python, like the guard's tests. The two sides alternate, one at a
time, in children forked from one process, so that both meet the same machine;
compare within one table only. Times are CPU time: of the workload itself, as the
workload prints it (by its thread's clock: the process's ticks in 4 ms where its time
is limited), or of a process from its start to its end. Each is the least of all
rounds: what else runs on the machine only ever adds.
"""

from __future__ import annotations

import argparse
import py_compile
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
GUARD = HERE.parent
sys.path[:0] = [str(GUARD / "src"), str(GUARD)]

from hotcell_guard.vetting import _rules, _vet  # noqa: E402  # sys.path first
from tests import host as host_module  # noqa: E402
from tests.benign import policy  # noqa: E402
from tests.benign.examples import become_unprivileged, preload  # noqa: E402
from tests.benign.sides import Sides, Task  # noqa: E402
from tests.host import SCRIPT, Host  # noqa: E402

POLICY = "study-analysis"
LINES = 200
BUDGET = 1_000_000_000
"""Operations and iterations: never reached, but counted."""

WORKLOADS = {"vectorised": "< 3 %"} | dict.fromkeys(
    "arithmetic texts objects attributes chains heirs names buffers".split(), "< 30 %"
)
"""Programs of workloads/, and what each may cost without budgets."""

VETTED = "class*.py decorators*.py table_one.py main_guard.py string_*.py plot_grid*.py survival_*.py".split()
"""Scripts of the corpus that a 200-line script is put together from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; times in milliseconds, goal as a text."""

    name: str
    plain: float
    guarded: float
    goal: str

    def __str__(self) -> str:
        cost = f"{self.guarded / self.plain - 1:+8.1%}"
        return f"{self.name:<46}{self.plain:>10.2f}{self.guarded:>10.2f} {cost}  {self.goal}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Prints what the guard costs, beside plain Python.")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="runs of each side that count")
    rounds = parser.parse_args().rounds
    become_unprivileged()
    print(f"{'':<46}{'plain ms':>10}{'guard ms':>10} {'cost':>8}  goal, least of {rounds}")
    with tempfile.TemporaryDirectory(prefix="guard-bench-") as directory:
        for row in chain(_vetting(rounds), _running(Path(directory), rounds), _starting(Path(directory), rounds)):
            print(row, flush=True)
    return 0


def _vetting(rounds: int) -> Iterator[Row]:
    source = _script_of(LINES)
    rules = _rules.Rules(frozenset(policy.imports(POLICY)), frozenset(), frozenset())
    compiled, vetted = [], []
    for _ in range(rounds):
        compiled.append(_cpu(lambda: compile(source, SCRIPT, "exec", dont_inherit=True)))
        vetted.append(_cpu(lambda: _vet.vet(source, SCRIPT, rules)))
    yield Row(f"compiling, vetting a script of {LINES} lines", min(compiled), min(vetted), "guard < 5 ms")


def _script_of(lines: int) -> bytes:
    files = (file for pattern in VETTED for file in sorted((GUARD / "tests/benign/scripts").glob(pattern)))
    text = "".join(file.read_text(encoding="utf-8") for file in files).splitlines(keepends=True)
    while True:  # not inside a block or a bracket
        text_so_far = "".join(text[:lines])
        try:
            compile(text_so_far, SCRIPT, "exec", dont_inherit=True)
        except SyntaxError:
            lines -= 1
        else:
            return text_so_far.encode()


def _cpu(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU time that work takes."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def _running(scratch: Path, rounds: int) -> Iterator[Row]:
    preload(scratch)
    for name, goal in WORKLOADS.items():
        source = (HERE / "workloads" / f"{name}.py").read_text(encoding="utf-8")
        without = Sides(scratch / f"{name}-off", _changes(0), width=1)
        counted = Sides(scratch / f"{name}-on", _changes(BUDGET), width=1)
        times: tuple[list[float], ...] = ([], [], [])
        for turn in range(rounds + 1):
            sides = ((without, False), (without, True), (counted, True))
            taken = [_took(side, Task(name, source, guarded)) for side, guarded in sides]
            for kept, value in zip(times, taken, strict=True):
                kept += [value] if turn else []  # the first warms the machine up
        plain, off, on = (min(each) for each in times)
        yield Row(f"{name}, budgets off", plain, off, goal)
        yield Row(f"{name}, budgets on", plain, on, "")


def _changes(budget: int) -> Callable[[str], dict[str, Any]]:
    changes = {"bundle_dir": "", "imports": policy.imports(POLICY), "operations": budget, "loop_iterations": budget}
    return lambda source: changes


def _took(side: Sides, task: Task) -> float:
    ((_, ending),) = side.run([task])
    if ending.fault:
        raise RuntimeError(f"run workload {task.name}: {ending.fault}")
    return 1000 * float(ending.stdout)


def _starting(scratch: Path, rounds: int) -> Iterator[Row]:
    host_module.SOURCE = _compiled(scratch / "src")
    host = Host()
    for name, code in (("nothing", "None"), ("import pandas", "import pandas\nNone")):
        plain, guarded = [], []
        for turn in range(rounds + 1):
            for kept, start in ((plain, _plainly), (guarded, lambda code: _guardedly(host, code))):
                began = _cpu_of_children()
                start(code)
                kept += [_cpu_of_children() - began] if turn else []
        yield Row(f"a whole process: {name}", min(plain), min(guarded), "")
    host.close()


def _compiled(target: Path) -> Path:
    """Copy the guard with its byte code beside it, as the image has it."""
    shutil.copytree(GUARD / "src", target, ignore=shutil.ignore_patterns("__pycache__"))
    for file in target.rglob("*.py"):
        py_compile.compile(str(file), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    return target


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def _guardedly(host: Host, code: str) -> None:
    run = host.run(code, imports=policy.imports(POLICY))
    if run.outcome != "completed":
        raise RuntimeError(f"start the guard with {code!r}: {run.outcome} {run.error}")


def _plainly(code: str) -> None:
    subprocess.run([sys.executable, "-sBP", "-c", code], check=True)


if __name__ == "__main__":
    sys.exit(main())
