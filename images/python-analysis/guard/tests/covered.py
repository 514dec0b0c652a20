"""Branch coverage of the guards that the tests start, when run-tests.py asks for it.

A guard ends with os._exit, and by then can neither open nor write a file, nor import a
module, nor end tracing. So what its tracer has noted, pairs of lines for each file, is
put as it stands into memory that the guard shares with a file since before it began,
and is made into coverage's own data here.
"""

from __future__ import annotations

import os
from pathlib import Path

import hotcell_guard

_NOTES = "guard-coverage."
_ROOM = 1 << 20
"""Bytes for the notes of one guard: its modules have some 10,000 pairs of lines."""

_BOOTSTRAP = """
import _imp, mmap, os
from _frozen_importlib import ModuleSpec
module = _imp.create_dynamic(ModuleSpec("coverage.tracer", None, origin=TRACER))
_imp.exec_dynamic(module)
def chosen(name, frame, *, source=SOURCE, made=module.CFileDisposition):
    found = made()
    found.original_filename = found.canonical_filename = found.source_filename = name
    found.trace, found.reason, found.file_tracer, found.has_dynamic_filename = name.startswith(source), "", None, False
    return found
tracer = module.CTracer()
tracer.data, tracer.trace_arcs, tracer.should_trace, tracer.should_trace_cache = {}, True, chosen, {}
tracer.lock_data = tracer.unlock_data = tracer.warn = tracer.disable_plugin = lambda *arguments: None
tracer.concur_id_func = tracer.should_start_context = tracer.switch_context = None
with open(os.environ["TMPDIR"] + "/" + NOTES + str(os.getpid()), "w+b") as file:
    file.truncate(ROOM)
    notes = mmap.mmap(file.fileno(), ROOM)
def save(code, *, end=os._exit, notes=notes, noted=tracer.data):
    lines = ["%s:%s" % (name, ",".join(map(str, pairs))) for name, pairs in list(noted.items())]
    text = "\\n".join(lines).encode()
    notes[:len(text)] = text
    end(code)
os._exit = save
tracer.start()
from hotcell_guard._run import main
main()
"""
"""Starts coverage's tracer alone: the rest of the package takes as long to load as a small guard, and is in no sandbox."""


def _entry() -> list[str]:
    if not DIRECTORY:
        return ["-m", "hotcell_guard"]
    (tracer,) = Path("/tmp/packages/coverage").glob("tracer.*.so")  # of scripts/fetch-test-packages.sh
    given = {"TRACER": str(tracer), "SOURCE": f"{Path(hotcell_guard.__file__).parent}/", "NOTES": _NOTES, "ROOM": _ROOM}
    return ["-c", "".join(f"{name} = {value!r}\n" for name, value in given.items()) + _BOOTSTRAP]


DIRECTORY = os.environ.get("GUARD_COVERAGE")
ENTRY = _entry()


_noted: dict[str, set[int]] = {}
"""Pairs of lines by file, of all guards until now."""


def keep(scratch: Path) -> None:
    """Take what the guards that ran with this scratch directory have noted."""
    for file in scratch.glob(_NOTES + "*") if DIRECTORY else ():
        for line in file.read_bytes().rstrip(b"\0").decode().splitlines():
            name, _, numbers = line.rpartition(":")
            _noted.setdefault(name, set()).update(int(number) for number in numbers.split(",") if number)


def save() -> None:
    """Save all of it, once: a file of its own for each guard took minutes to put together."""
    from coverage import CoverageData

    data = CoverageData(f"{DIRECTORY}/.coverage", suffix=True)
    data.add_arcs({name: [_pair(number) for number in numbers] for name, numbers in _noted.items()})
    data.write()


def _pair(packed: int) -> tuple[int, int]:
    """Take the two lines out of a number, as CTracer_record_pair of coverage's tracer.c has put them there."""
    mask = (1 << 20) - 1
    first, second = packed & mask, packed >> 20 & mask
    return (-first if packed >> 40 & 1 else first, -second if packed >> 41 & 1 else second)
