"""What is not in the process any more when user code begins, found by a walk over all of it."""

from __future__ import annotations

import subprocess
import sys
import unittest

from tests.host import SOURCE, Host

WALK = """
import gc, sys
collect, referrers, objects = gc.collect, gc.get_referrers, gc.get_objects
gc.freeze = lambda: None  # what is frozen, the walk does not see
import hotcell_guard._session
from hotcell_guard.confining import _absence
_absence.hide_native()
import pandas, scipy.stats, matplotlib.pyplot, statsmodels.api, plotly.express
import posix, faulthandler, signal, _signal, _imp, _posixsubprocess
taken = [posix.fork, posix.execv, posix.execve, posix.symlink, posix.link, posix.chmod, posix.kill, posix.pipe,
    posix.system, posix.memfd_create, posix.open, posix.write, posix.dup, posix.dup2, _signal.signal, _signal.setitimer,
    _imp.create_builtin, _imp.create_dynamic, _imp.get_frozen_object, _posixsubprocess.fork_exec,
    faulthandler.dump_traceback, sys.settrace, sys.addaudithook, gc.get_objects]
own = {id(taken), id(globals())}
_absence.take_away(frozenset((90, 91)))
for name in ("collect", "referrers", "objects"):
    globals()[name] = {"collect": collect, "referrers": referrers, "objects": objects}[name]
"""

CHECK = """
kept = []
for each in taken:
    for holder in real_referrers[0](each):
        if holder is taken or holder is real_referrers or type(holder).__name__ in ("frame", "list_iterator"):
            continue
        home = holder.get("__name__", "") if type(holder) is dict else ""
        if home == "__main__" or home.startswith("hotcell_guard"):
            continue  # the test's own, and the guard's, to which no name leads
        if home == "sys" and holder is not vars(sys) or type(holder) is tuple and 'was taken' in repr(holder):
            continue  # the interpreter's copy, for making sys anew; the constants of what stands in
        kept.append((each.__name__, type(holder).__name__, home or repr(holder)[:80]))
print(kept)


def below(kind):
    for each in type.__subclasses__(kind):
        yield each
        yield from below(each)


print([each for each in below(object) if each.__module__ == "_ctypes"])
print([name for name in sys.modules if "hotcell" in name])
"""


def _said(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-sBP", "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(SOURCE), "TMPDIR": "/tmp", "HOME": "/tmp", "MPLBACKEND": "agg"},
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr[-2000:])
    return done.stdout


class Absence(unittest.TestCase):
    def test_nothing_else_in_the_process_keeps_what_was_taken(self) -> None:
        program = WALK.replace("own = {", "real_referrers = [referrers]\nown = {") + CHECK
        self.assertEqual(_said(program), "[]\n[]\n[]\n")

    def test_a_descriptor_for_signals_can_be_taken_back_and_not_set(self) -> None:
        program = WALK.replace("import posix,", "import asyncio, posix,") + (
            "print(signal.set_wakeup_fd(-1), _signal.set_wakeup_fd(-1), signal.set_wakeup_fd is _signal.set_wakeup_fd)\n"
            "class Number(int): __eq__ = lambda self, other: True\n"
            "for each in (0, 1, 90, -2, True, -1.0, Number(1)):\n"
            "    try: print(signal.set_wakeup_fd(each))\n"
            "    except PermissionError as error: print(str(error)[:58])\n"
        )
        refused = "[Errno 13] signal.set_wakeup_fd is not available in this r\n"
        self.assertEqual(_said(program), "-1 -1 True\n" + 7 * refused)

    def test_libraries_use_files_and_descriptors(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(
            "import tempfile, numpy as np, zipfile\n"
            "np.arange(3).tofile('x.bin'); print(np.fromfile('x.bin', int).sum())\n"
            "with tempfile.TemporaryFile() as file: print(file.write(b'abc'))\n"
            "with zipfile.ZipFile('x.zip', 'w') as file: file.writestr('a', 'b')\n"
            "print(np.memmap('x.bin', int, 'r').sum())\n",
            imports=["tempfile", "numpy", "zipfile"],
        )
        self.assertEqual((run.outcome, run.stdout), ("completed", "3\n3\n3\n"), run.report)


if __name__ == "__main__":
    unittest.main()
