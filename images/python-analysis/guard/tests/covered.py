"""Branch coverage of the guards that the tests start, when run-tests.py asks for it.

The guard ends with os._exit and refuses SQLite, in which coverage keeps its data,
and trace functions. All three are bent here and nowhere else.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_BOOTSTRAP = """
import os, coverage
from hotcell_guard import _audit
_audit._REFUSED_EVENTS -= {"sqlite3.connect", "sys.settrace"}
data = coverage.Coverage(os.environ["TMPDIR"] + "/.coverage", data_suffix=True, branch=True,
    source_pkgs=["hotcell_guard"], config_file=False)
end = os._exit
def save(code):
    data.stop()
    data.save()
    end(code)
os._exit = save
data.exclude("if TYPE_CHECKING:")
data.set_option("run:disable_warnings", ["module-not-measured", "module-not-imported"])
data.start()
from hotcell_guard._run import main
main()
"""

DIRECTORY = os.environ.get("GUARD_COVERAGE")
ENTRY = ["-c", _BOOTSTRAP] if DIRECTORY else ["-m", "hotcell_guard"]


def keep(scratch: Path) -> None:
    """Save the data of the guards that ran with this scratch directory."""
    if DIRECTORY:
        for file in scratch.glob(".coverage.*"):
            shutil.move(file, DIRECTORY)
