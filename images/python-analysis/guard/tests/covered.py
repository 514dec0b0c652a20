"""Branch coverage of the guards that the tests start, when run-tests.py asks for it.

A guard ends with os._exit, and by then can neither open nor write a file, nor import a
module, nor end tracing. So what its tracer has noted, pairs of lines for each file, is
put as it stands into memory that the guard shares with a file since before it began,
and is made into coverage's own data here.
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGES = "/tmp/packages"
"""Where scripts/test-guard.sh puts those of scripts/fetch-test-packages.sh."""

_NOTES = "guard-coverage."
_ROOM = 1 << 20
"""Bytes for the notes of one guard: its modules have some 10,000 pairs of lines."""

_BOOTSTRAP = f"""
import mmap, os, sys, threading
sys.path.append("{PACKAGES}")
import coverage
sys.path.remove("{PACKAGES}")
data = coverage.Coverage(data_file=None, branch=True, source_pkgs=["hotcell_guard"], config_file=False)
data.set_option("run:disable_warnings", ["module-not-measured", "module-not-imported"])
with open(os.environ["TMPDIR"] + "/{_NOTES}" + str(os.getpid()), "w+b") as file:
    file.truncate({_ROOM})
    notes = mmap.mmap(file.fileno(), {_ROOM})
data.start()
threading.settrace(None)  # a thread of the script's would ask for tracing by a name that is gone
def save(code, *, end=os._exit, notes=notes, noted=data._collector.data):
    lines = ["%s:%s" % (name, ",".join(map(str, pairs))) for name, pairs in list(noted.items())]
    text = "\\n".join(lines).encode()
    notes[:len(text)] = text
    end(code)
os._exit = save
from hotcell_guard._run import main
main()
"""

DIRECTORY = os.environ.get("GUARD_COVERAGE")
ENTRY = ["-c", _BOOTSTRAP] if DIRECTORY else ["-m", "hotcell_guard"]


def keep(scratch: Path) -> None:
    """Save what the guards that ran with this scratch directory have noted."""
    notes = list(scratch.glob(_NOTES + "*")) if DIRECTORY else []
    if not notes:
        return
    from coverage import CoverageData

    data = CoverageData(f"{DIRECTORY}/.coverage", suffix=True)
    for file in notes:
        for line in file.read_bytes().rstrip(b"\0").decode().splitlines():
            name, _, numbers = line.rpartition(":")
            data.add_arcs({name: [_pair(int(number)) for number in numbers.split(",") if number]})
    data.write()


def _pair(packed: int) -> tuple[int, int]:
    """Take the two lines out of a number, as CTracer_record_pair of coverage's tracer.c has put them there."""
    mask = (1 << 20) - 1
    first, second = packed & mask, packed >> 20 & mask
    return (-first if packed >> 40 & 1 else first, -second if packed >> 41 & 1 else second)
