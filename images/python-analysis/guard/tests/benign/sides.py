"""One script under plain Python and under the guard, each in a forked child.

The children are forked from one process that has loaded the packages, so that
thousands of scripts take minutes. The guard's child does what the guard does
from its start frame on: ``_serve.serve`` is its whole body.
"""

from __future__ import annotations

import atexit
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from hotcell_guard import _serve
from hotcell_guard.speaking import _protocol
from tests.host import frame, split, start_frame

SCRIPT = "script.py"

PLAIN_SECONDS = 15
GUARDED_SECONDS = 60
"""CPU time of one script. The guard's is longer, so that a script near the limit
of the plain side is no difference; what the guard costs is measured elsewhere."""

_WALL_SECONDS = 300
_MEMORY = 4 << 30
_RAISED = 1
_LOWEST_DESCRIPTOR = 20  # where the guard keeps the protocol's
_ADDRESS = re.compile(r"\b0x[0-9a-f]{4,16}\b")


@dataclass(frozen=True, slots=True)
class Task:
    """One script on one side."""

    name: str
    source: str
    guarded: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """How a script ended and what it printed. fault is empty when it ran to its end."""

    fault: str
    stdout: str


class Sides:
    """Runs tasks below a scratch directory, width at a time: by default one a processor.

    changes makes those of ``tests.host.start_frame`` for a script's source; loaded
    makes the names that a script finds, besides OUTPUT, on the plain side.
    """

    def __init__(
        self,
        scratch: Path,
        changes: Callable[[str], Mapping[str, Any]],
        loaded: Callable[[], Mapping[str, object]] = dict,
        width: int = 0,
    ) -> None:
        self._scratch = scratch
        self._width = width or os.process_cpu_count() or 1
        self._changes = changes
        self._loaded = loaded
        self._children: dict[int, tuple[Task, Path]] = {}
        self._count = 0

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Ending]]:
        """Yield the tasks' endings as they come."""
        for task in tasks:
            if len(self._children) >= self._width:
                yield self._wait()
            self._begin(task)
        while self._children:
            yield self._wait()

    def _begin(self, task: Task) -> None:
        self._count += 1
        directory = self._scratch / str(self._count)
        (directory / "output").mkdir(parents=True)
        child = os.fork()
        if child == 0:
            self._child(task, directory)
        self._children[child] = (task, directory)

    def _child(self, task: Task, directory: Path) -> NoReturn:
        try:
            _limit(GUARDED_SECONDS if task.guarded else PLAIN_SECONDS)
            _redirect(directory)
            (self._guarded if task.guarded else self._plain)(task, directory)
        except BaseException:  # the parent's code must not run a second time
            traceback.print_exc()
        finally:
            os._exit(_protocol.EXIT_FAULT)

    def _guarded(self, task: Task, directory: Path) -> None:
        start = start_frame(directory, script_name=SCRIPT, **self._changes(task.source))
        frames = frame("S", json.dumps(start).encode()) + frame("I", b"") + frame("C", task.source.encode())
        (directory / "in").write_bytes(frames)
        incoming = _high(os.open(directory / "in", os.O_RDONLY))
        outgoing = _high(os.open(directory / "out", os.O_WRONLY | os.O_CREAT))
        _serve.serve(_protocol.Channel(incoming, outgoing))

    def _plain(self, task: Task, directory: Path) -> None:
        module = type(sys)("__main__")
        sys.modules["__main__"] = module
        namespace = vars(module)
        namespace |= {"__file__": str(directory / "output" / SCRIPT), "OUTPUT": directory / "output", **self._loaded()}
        sys.argv = [SCRIPT]
        os.chdir(directory / "output")
        sys.stdout = sys.__stdout__ = (directory / "out").open("w", encoding="utf-8", errors="replace")
        code = _RAISED
        try:
            atexit._clear()
            exec(compile(task.source, SCRIPT, "exec", dont_inherit=True), namespace)
            code = 0
            atexit._run_exitfuncs()
        except SystemExit as end:
            code = _RAISED if end.code else 0
        except BaseException as error:  # whatever a script raises
            (directory / "error").write_text(f"{type(error).__name__}: {error}", errors="replace")
        sys.stdout.flush()
        os._exit(code)

    def _wait(self) -> tuple[Task, Ending]:
        child, status = os.wait()
        task, directory = self._children.pop(child)
        read = _guarded_ending if task.guarded else _plain_ending
        ending = _signalled(status) or read(directory, os.waitstatus_to_exitcode(status))
        shutil.rmtree(directory)
        return task, Ending(ending.fault, _masked(ending.stdout, directory))


def _limit(seconds: int) -> None:
    """Bound a child. The signals' default actions end it also inside native code."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(_WALL_SECONDS)


def _redirect(directory: Path) -> None:
    null = os.open("/dev/null", os.O_RDONLY)
    raw = os.open(directory / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for old, new in ((null, 0), (raw, 1), (raw, 2)):
        os.dup2(old, new)
    os.close(null)
    os.close(raw)


def _high(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    os.close(descriptor)
    return moved


def _signalled(status: int) -> Ending | None:
    if not os.WIFSIGNALED(status):
        return None
    return Ending(f"ended by {signal.Signals(os.WTERMSIG(status)).name}", "")


def _plain_ending(directory: Path, code: int) -> Ending:
    error = directory / "error"
    fault = error.read_text(errors="replace") if error.exists() else (f"exit {code}" if code else "")
    return Ending(fault, (directory / "out").read_bytes().decode(errors="replace"))  # \r stays \r


def _guarded_ending(directory: Path, code: int) -> Ending:
    out = directory / "out"
    frames = list(split(out.read_bytes())) if out.exists() else []
    stdout = b"".join(payload for kind, payload in frames if kind == "O").decode()
    if code != 0 or not frames or frames[-1][0] != "R":
        last = (directory / "raw").read_text(errors="replace").strip().rpartition("\n")[2]
        return Ending(f"guard ended with {code}: {last}", stdout)
    return Ending(_fault(json.loads(frames[-1][1])), stdout)


def _fault(report: dict[str, Any]) -> str:
    match report["outcome"]:
        case "completed":
            return ""
        case "rejected":
            return "; ".join(f"{each['rule']}: {each['message']}" for each in report["violations"])
        case outcome:
            return f"{outcome}: {report['error']['type']}: {report['error']['message']}"


def _masked(text: str, directory: Path) -> str:
    """Take out of what was printed what differs from one run to the next."""
    return _ADDRESS.sub("0x", text.replace(str(directory), ""))
