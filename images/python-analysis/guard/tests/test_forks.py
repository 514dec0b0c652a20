"""What is forked from a template: what it lets go of, and what it makes anew."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from typing import Any

from tests.host import SOURCE

LETS_GO = """
import json, os, socket
from hotcell_guard.confining import _fork

class Channel:
    descriptors = frozenset((5, 9))

def of(descriptor):
    return os.readlink(f"/proc/self/fd/{descriptor}")

forks = _fork.Forks(Channel(), bytes(8), "/tmp")
pair = socket.socketpair()
control = os.dup2(pair[0].fileno(), 40)
incoming, outgoing = os.pipe()
streams = [os.dup2(each, number) for each, number in ((incoming, 50), (outgoing, 51), (1, 52))]
want = {"0": "/dev/null", "1": of(1), "2": of(1), "5": of(50), "9": of(51), "40": of(40)}
for number in (3, 4, 6, 8, 39, 41, 700):  # what a library might have left open
    os.dup2(os.open("/usr", os.O_RDONLY), number, inheritable=number % 2 == 0)
forks._connect(forks._kernel, streams, control)
names = [str(each) for each in range(1024)]
found = {name: of(name) for name in names if os.path.lexists(f"/proc/self/fd/{name}")}
inherited = [name for name in found if os.get_inheritable(int(name))]
os.write(1, json.dumps([want, found, inherited]).encode())
os._exit(0)
"""

RESEEDS = """
import json, logging, multiprocessing.process, os, random, sys, time
import numpy.random, numpy.testing
from hotcell_guard.confining import _reseed

def kept():
    return {
        "random": hash(random.getstate()),
        "numpy": hash(numpy.random.get_state()[1].tobytes()),
        "secret": bytes(multiprocessing.process.current_process().authkey).hex(),
    }

before = kept()
logging._startTime = 0
if os.fork() == 0:
    _reseed.reseed()
    _reseed.begin()
    after = kept()
    files = [each.__defaults__[0] for each in (numpy.testing.jiffies, numpy.testing.memusage)]
    said = {
        "the same": [name for name in before if before[name] == after[name]],
        "files": files == [f"/proc/{os.getpid()}/stat"] * 2,
        "log": time.time_ns() - logging._startTime < 10**12,
        "a seed": [random.seed(7), numpy.random.seed(7), random.random(), numpy.random.random()],
    }
    print(json.dumps(said), flush=True)
    os._exit(0)
os.wait()
"""

RENEWS = """
import os, sys
from hotcell_guard.confining import _absence, _fork
_absence.hide_native()
import asyncio, concurrent.futures, logging, random, threading, matplotlib.pyplot, numpy.random, pandas, scipy.stats, statsmodels.api
import plotly.express
HOOKS
kept = [os.fork, os.wait]
_absence.take_away_before_forks(frozenset((90, 91)))
hook = sys.unraisablehook
try:
    child = _fork._forked(kept[0])
except _fork.ForkFault as fault:
    print(fault, flush=True)
    os._exit(3)
if child == 0:
    print(sys.unraisablehook is hook, flush=True)
    os._exit(0)
print(os.waitstatus_to_exitcode(kept[1]()[1]), flush=True)
os._exit(0)
"""


def _say(program: str, **more: Any) -> Any:
    done = subprocess.run([sys.executable, "-sBc", program], env={"PYTHONPATH": str(SOURCE), **more}, capture_output=True)
    if done.returncode or done.stderr:
        raise AssertionError(done.stderr.decode())
    return done.stdout


class Forks(unittest.TestCase):
    def test_only_the_protocols_descriptors_stay_open(self) -> None:
        want, found, inherited = json.loads(_say(LETS_GO))
        self.assertEqual(found, want)
        self.assertLessEqual(set(inherited), {"0", "1", "2", "40"})

    def test_what_was_kept_for_everybody_is_made_anew(self) -> None:
        said = json.loads(_say(RESEEDS, HOME="/tmp"))
        self.assertEqual((said["the same"], said["files"], said["log"]), ([], True, True))
        self.assertEqual(said["a seed"][2:], [0.32383276483316237, 0.07630828937395717])

    def test_libraries_renew_themselves_without_a_word(self) -> None:
        said = _say(RENEWS.replace("HOOKS", ""), HOME="/tmp", TMPDIR="/tmp", MPLBACKEND="agg")
        self.assertEqual(said, b"True\n0\n")

    def test_a_library_that_cannot_renew_itself_is_a_fault(self) -> None:
        for hook in ("lambda: threading.Lock().release()", "lambda: 1 / 0"):
            said = _say(RENEWS.replace("HOOKS", f"os.register_at_fork(after_in_child={hook})"), HOME="/tmp", TMPDIR="/tmp", MPLBACKEND="agg")
            fault, code = said.decode().splitlines()
            self.assertEqual(code, "3")
            self.assertTrue(fault.startswith("a library cannot renew itself in a fork: "), fault)


if __name__ == "__main__":
    unittest.main()
