"""The zones in the kernel: what a process may open that nobody else stops."""

from __future__ import annotations

import base64
import contextlib
import ctypes
import errno
import json
import os
import socket
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from hotcell_guard.confining import _landlock
from tests import covered
from tests.host import STAGE_2, Host, Run, frame, start_frame
from tests.test_lock import NO_CODE, locked


def offered() -> int:
    """Return the ABI of this kernel, 0 for none."""
    return max(0, ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1))


ABI = min(offered(), len(_landlock._HANDLED) - 1)
FILTERS = base64.b64decode(STAGE_2) if STAGE_2 else NO_CODE

CONFINED = """
import errno, tempfile
from hotcell_guard.granting import _files
base = tempfile.mkdtemp()
for name in ("bundle", "output", "scratch", "outside"):
    os.mkdir(f"{base}/{name}")
    with open(f"{base}/{name}/file", "w") as file:
        file.write(name)
zones = _files.Zones(f"{base}/bundle", f"{base}/output", f"{base}/scratch")
def attempt(function, *arguments):
    try:
        function(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
def put(path):
    open(path, "w").close()
def get(path):
    open(path).close()
"""

OUTSIDE = """
print(attempt(get, "/etc/passwd"), attempt(get, f"{base}/outside/file"), attempt(os.listdir, "/"),
      attempt(os.listdir, f"{base}/outside"), attempt(put, f"{base}/outside/new"), attempt(put, f"{base}/outside/file"),
      attempt(os.mkdir, f"{base}/outside/directory"), attempt(os.remove, f"{base}/outside/file"),
      attempt(put, f"{base}/bundle/new"), attempt(os.remove, f"{base}/bundle/file"), attempt(get, "/proc/self/maps"))
"""


def confined(body: str, zones: str = "zones", **options: Any) -> str:
    """Run body in a process that has locked itself with these zones; return what it printed."""
    return locked(f"{CONFINED}\nabi = _lock.install(program, {zones})\n{body}", filters=FILTERS, **options)[0]


class Confined(unittest.TestCase):
    def test_without_it_everything_outside_is_open(self) -> None:
        self.assertEqual(confined(OUTSIDE, zones="None").split(), ["done"] * 11)

    def test_refuses_everything_outside(self) -> None:
        self.assertEqual(confined(OUTSIDE).split(), ["EACCES"] * 11)

    def test_leaves_what_is_inside(self) -> None:
        body = """
os.mkdir(f"{base}/output/one"); os.mkdir(f"{base}/scratch/two")
print(attempt(get, f"{base}/bundle/file"), attempt(os.listdir, f"{base}/bundle"), attempt(put, f"{base}/output/one/new"),
      attempt(os.rename, f"{base}/output/one/new", f"{base}/output/file"), attempt(put, f"{base}/output/file"),
      attempt(os.remove, f"{base}/output/file"), attempt(os.rmdir, f"{base}/output/one"), attempt(put, f"{base}/scratch/two/new"),
      attempt(put, "/dev/null"), attempt(get, "/dev/urandom"), attempt(get, os.__file__), attempt(get, "/usr/share/zoneinfo/Etc/UTC"))
"""
        expected = ["done"] * 12
        if ABI == 1:
            expected[3] = "EXDEV"
        self.assertEqual(confined(body).split(), expected)

    def test_holds_in_threads_that_are_made_later(self) -> None:
        body = "t = threading.Thread(target=lambda: print(attempt(get, '/etc/passwd'))); t.start(); t.join()"
        self.assertEqual(confined(body), "EACCES")

    def test_holds_for_native_code(self) -> None:
        body = "print(libc.openat(-100, b'/etc/passwd', 0), errno.errorcode[ctypes.get_errno()])"
        self.assertEqual(confined(body), "-1 EACCES")

    def test_tells_the_abi(self) -> None:
        self.assertEqual(confined("print(abi)"), str(ABI))

    def test_nothing_can_be_executed_that_could_be_before(self) -> None:
        body = "print(attempt(os.execv, '/usr/bin/python3', ['python3', '-c', 'print(1)']))"
        ran = locked(f"{CONFINED}\nlibc.prctl(38, 1, 0, 0, 0)\nprint('before', flush=True)\n{body}", filters=NO_CODE)[0]
        self.assertEqual(ran, "before\n1")
        refused = f"{CONFINED}\n_lock.install(program, zones)\n{body}"
        self.assertEqual(locked(refused, filters=NO_CODE)[0], "EACCES")

    def test_a_thread_that_would_be_left_out(self) -> None:
        body = f"""{CONFINED}
end = threading.Event(); threading.Thread(target=end.wait).start()
try:
    _lock.install(program, zones)
except _lock.LockFault as fault:
    print(fault)
end.set()
"""
        found = locked(body, filters=FILTERS)[0]
        self.assertEqual(found, "Landlock would hold for only one of 2 threads: load no library that starts threads")


BOUNDS = """
import socket
def bind(family, name, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as own:
        own.bind(name)
def connect(family, name):
    with socket.socket(family) as own:
        own.connect(name)
inet, unix, output, outside = socket.AF_INET, socket.AF_UNIX, f"{base}/output", f"{base}/outside"
for name, function, *arguments in (
    ("empty by path", os.truncate, f"{outside}/file", 0),
    ("empty what may be read", os.open, f"{base}/bundle/file", os.O_RDONLY | os.O_TRUNC),
    ("make a symlink", os.symlink, "/etc/passwd", f"{output}/symlink"),
    ("link a file out of reach to a writable place", os.link, f"{outside}/file", f"{output}/theirs"),
    ("link what may be read to a writable place", os.link, f"{base}/bundle/file", f"{output}/read"),
    ("make a pipe", os.mkfifo, f"{output}/pipe"),
    ("make a device", os.mknod, f"{output}/device", 0o20600, os.makedev(1, 3)),
    ("make a socket", bind, unix, f"{output}/socket"),
    ("bind TCP", bind, inet, ("", 0)),
    ("connect by TCP", connect, inet, ("127.0.0.1", 9)),
    ("connect to an abstract socket", connect, unix, chr(0) + listeners),
    ("signal another process", os.kill, os.getppid(), 0),
    ("bind UDP", bind, inet, ("", 0), socket.SOCK_DGRAM),
    ("connect to a socket by path", connect, unix, listeners),
    ("link a file where it may be made", os.link, f"{output}/file", f"{output}/link"),
    ("change a mode", os.chmod, f"{outside}/file", 0o600),
    ("look at a file", os.stat, "/etc/passwd"),
    ("open its namespace", get, "/proc/self/ns/net"),
    ("open its own pipe anew", get, "/proc/self/fd/1"),
    ("signal itself", os.kill, os.getpid(), 0),
):
    print(f"{name}: {attempt(function, *arguments)}")
"""

BOUND_SINCE = {
    "empty by path": (3, "EACCES"),
    "empty what may be read": (3, "EACCES"),
    "make a symlink": (1, "EACCES"),
    "link a file out of reach to a writable place": (1, "EXDEV"),
    "link what may be read to a writable place": (1, "EXDEV"),
    "make a pipe": (1, "EACCES"),
    "make a device": (1, "EACCES"),
    "make a socket": (1, "EACCES"),
    "bind TCP": (4, "EACCES"),
    "connect by TCP": (4, "EACCES"),
    "connect to an abstract socket": (6, "EPERM"),
    "signal another process": (6, "EPERM"),
}
"""By ABI. All else of BOUNDS Landlock lets through, and docs/seccomp.md says who holds it."""


class Bounds(unittest.TestCase):
    """What each ABI bounds by itself: under a filter that lets all of it through."""

    def outcomes(self, zones: str) -> dict[str, str]:
        with tempfile.TemporaryDirectory() as directory:
            path = f"{directory}/listeners"
            with contextlib.ExitStack() as opened:
                for name in (path, "\0" + path):
                    listener = opened.enter_context(socket.socket(socket.AF_UNIX))
                    listener.bind(name)
                    listener.listen()
                body = f"{CONFINED}\nlisteners = {path!r}\n_lock.install(program, {zones})\n{BOUNDS}"
                printed = locked(body, filters=NO_CODE)[0]
        return dict(line.split(": ", 1) for line in printed.splitlines())

    def test_each_is_bound_since_its_abi_and_nothing_else_is(self) -> None:
        without, found = self.outcomes("None"), self.outcomes("zones")
        self.assertEqual(len(found), 20, found)
        for name, outcome in found.items():
            since, reason = BOUND_SINCE.get(name, (1 << 10, ""))
            with self.subTest(name):
                self.assertEqual(outcome, reason if since <= ABI else without[name])
                self.assertNotEqual(without[name], reason)


EVERYTHING_USED = "\n".join(
    f"import {name}"
    for name in """
        numpy pandas scipy.stats scipy.linalg statsmodels.api matplotlib.pyplot plotly.express PIL.Image patsy pydantic requests
    """.split()
)

DESCRIPTORS = """
import fcntl
for number in range(1 << 16):
    try:
        mode = fcntl.fcntl(number, fcntl.F_GETFL) & 3
    except OSError:
        continue
    print(number, mode, __import__("os").readlink(f"/proc/self/fd/{number}").partition(":")[0])
"""


class Runs(unittest.TestCase):
    """A run whose hook is off, and all of Python in its hands."""

    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_a_run_that_requires_it_and_has_it(self) -> None:
        run = self.host.run("1", seccomp=base64.b64encode(FILTERS).decode(), required_controls=["landlock"])
        self.assertEqual((run.outcome, run.payload("Y")), ("completed", b'{"landlock":%d}' % ABI))

    def run_off(self, code: str, **changes: object) -> Run:
        rules = {**start_frame(self.host.directory)["rules"], "imports": [], "unguarded": True}
        return self.host.run(code, rules=rules, **changes)

    def test_reads_outside_without_a_lock_and_not_with_it(self) -> None:
        code = "print(open('/etc/passwd').read()[:4])"
        self.assertEqual(self.run_off(code, seccomp="").stdout, "root\n")
        run = self.run_off(code, seccomp=base64.b64encode(FILTERS).decode())
        self.assertEqual(run.error, "PermissionError: [Errno 13] Permission denied: '/etc/passwd'")
        self.assertEqual(run.payload("Y"), b'{"landlock":%d}' % ABI)

    def test_nothing_is_open_from_before(self) -> None:
        run = self.run_off(f"{EVERYTHING_USED}\n{DESCRIPTORS}", seccomp=base64.b64encode(FILTERS).decode())
        self.assertEqual(run.stdout.splitlines(), ["0 2 /dev/null", "1 1 pipe", "2 1 pipe", "20 0 pipe", "21 1 pipe"], run.outcome)

    def test_every_thread_of_a_run_is_under_it(self) -> None:
        code = EVERYTHING_USED
        environment = {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"}
        guard = self.host.spawn(environment=environment)
        rules = {**start_frame(self.host.directory)["rules"], "imports": [], "unguarded": True}
        start = start_frame(self.host.directory, rules=rules, seccomp=base64.b64encode(FILTERS).decode())
        request = frame("S", json.dumps(start).encode()) + frame("I", b"") + frame("C", code.encode())
        stream, raw = guard.communicate(request, timeout=300)
        run = Run(stream, raw, guard.returncode)
        self.assertEqual((run.outcome, run.payload("Y")), ("completed", b'{"landlock":%d}' % ABI), raw)


BESIDE = f"""
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))
answer = 0x00050000 | int(sys.argv[1])
steps = ((0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, answer), (0x06, 0, 0, 0x7FFF0000))
program = b"".join(struct.pack("=HBBI", *step) for step in steps)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(Filter(len(steps), program)), 0, 0):
    raise OSError(ctypes.get_errno(), "no filter")
os.execv(sys.executable, [sys.executable, "-sBP", *{list(covered.ENTRY)!r}])
"""
"""Starts a guard on a kernel that answers landlock_create_ruleset with an error, for which a filter stands."""


class Required(unittest.TestCase):
    """A policy that wants Landlock, on a kernel without it: nothing of the script runs."""

    def talk(self, reason: int, code: str, **changes: object) -> Run:
        host = Host(["-c", BESIDE, str(reason)])
        self.addCleanup(host.close)
        self.output = host.output
        start = {"seccomp": base64.b64encode(FILTERS).decode(), **changes}
        return host.run(code, **start)

    def test_the_script_runs_where_nobody_requires_it(self) -> None:
        run = self.talk(errno.ENOSYS, "print('ran')\nopen(OUTPUT / 'left', 'w').close()")
        self.assertEqual((run.outcome, run.stdout, run.payload("Y")), ("completed", "ran\n", b'{"landlock":0}'))
        self.assertEqual(os.listdir(self.output), ["left"])

    def test_no_line_of_the_script_runs_where_it_is_required(self) -> None:
        for reason, words in {
            errno.ENOSYS: "this kernel has no Landlock, or a filter hides it",
            errno.EOPNOTSUPP: "this kernel has Landlock, but was started without it",
            errno.EPERM: "a filter denies it, or the kernel is gVisor's",
        }.items():
            for mode in ("run", "check", "session") if reason == errno.ENOSYS else ("run",):
                with self.subTest(words, mode=mode):
                    code = "print('ran')\nopen(OUTPUT / 'left', 'w').close()"
                    run = self.talk(reason, code, required_controls=["landlock"], mode=mode)
                    self.assertEqual((run.kinds, run.outcome, run.code), ("HR", "guard_failed", 0), run.raw_stderr)
                    self.assertRegex(run.error, "^ControlFault: the policy requires landlock, ")
                    self.assertIn(words, run.error)
                    self.assertIn(f"Linux {os.uname().release}", run.error)
                    self.assertIn("take landlock out of the policy's required_controls", run.error)
                    self.assertEqual(os.listdir(self.output), [])

    def test_without_a_guard_too(self) -> None:
        rules = {**start_frame(Path('/tmp'))["rules"], "imports": [], "unguarded": True}
        run = self.talk(errno.ENOSYS, "print('ran')", required_controls=["landlock"], rules=rules)
        self.assertEqual((run.kinds, run.outcome), ("HR", "guard_failed"))

    def test_a_script_that_is_refused_anyway_says_why(self) -> None:
        run = self.talk(errno.ENOSYS, "import os", required_controls=["landlock"])
        self.assertEqual((run.kinds, run.outcome), ("HR", "rejected"))


class FakeKernel:
    """A kernel that has an ABI, and one call of which fails."""

    def __init__(self, abi: int, reason: int = 0, fails: str = "") -> None:
        self.abi, self.reason, self.fails = abi, reason, fails
        self.attributes = b""
        self.flags = 0
        self.rules: list[int] = []
        self.restricted = False

    def openat(self, directory: int, path: bytes, flags: int) -> int:
        if path == b"/" and self.restricted:
            self.reason = errno.EACCES
            return -1
        try:
            return os.open(path, flags)
        except OSError as error:
            self.reason = error.errno or 0
            return -1

    def create_ruleset(self, attributes: bytes | None, size: int, flags: int) -> int:
        if attributes is None:
            return self.abi
        self.attributes = attributes
        return -1 if self.fails == "create" else os.open("/", os.O_PATH)

    def add_rule(self, ruleset: int, kind: int, attributes: bytes, flags: int) -> int:
        self.rules.append(struct.unpack("=Qi", attributes)[0])
        return -1 if self.fails == "add" else 0

    def restrict_self(self, ruleset: int, flags: int) -> int:
        self.restricted = self.fails != "proof"
        self.flags = flags
        return -1 if self.fails == "restrict" else 0

    def failed(self) -> int:
        return self.reason


class Kernels(unittest.TestCase):
    """What is asked of kernels that this one is not."""

    def test_none(self) -> None:
        for reason in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
            self.assertEqual(_landlock.confine(FakeKernel(-1, reason), ["/usr"], ["/tmp"]), 0)

    def test_each_abi_has_what_it_can_bound(self) -> None:
        for abi, handled in {
            1: (0x1FFF, 0, 0),
            2: (0x3FFF, 0, 0),
            3: (0x7FFF, 0, 0),
            4: (0x7FFF, 3, 0),
            5: (0xFFFF, 3, 0),
            6: (0xFFFF, 3, 3),
            7: (0xFFFF, 3, 3),
            9: (0xFFFF, 3, 3),
        }.items():
            with self.subTest(abi):
                kernel = FakeKernel(abi)
                self.assertEqual(_landlock.confine(kernel, ["/usr", "/nowhere"], ["/tmp/", "/dev/null"]), min(abi, 6))
                self.assertEqual(struct.unpack("=QQQ", kernel.attributes), handled)
                directory, file = 0x61BE & handled[0], 0x4006 & handled[0]
                self.assertEqual(kernel.rules, [0xC, directory, file])
                self.assertEqual(kernel.flags, 0, "stage 1 lets no other through")

    def test_a_step_that_fails_ends_the_start(self) -> None:
        for fails, words in {
            "create": "Landlock: the kernel makes no ruleset (EPERM)",
            "add": "Landlock: the kernel does not take a rule (EPERM)",
            "restrict": "Landlock: the kernel does not take the ruleset (EPERM)",
            "proof": "Landlock: it is in force, but the root directory can still be opened (EPERM)",
        }.items():
            with self.subTest(fails), self.assertRaisesRegex(_landlock.LandlockFault, words.replace("(", r"\(").replace(")", r"\)")):
                _landlock.confine(FakeKernel(6, errno.EPERM, fails), ["/usr"], ["/tmp"])

    def test_a_filter_that_hides_it(self) -> None:
        with self.assertRaisesRegex(_landlock.LandlockFault, r"Landlock: the kernel does not tell its version \(EINVAL\)"):
            _landlock.confine(FakeKernel(-1, errno.EINVAL), ["/usr"], ["/tmp"])


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: object) -> unittest.TestSuite:
    """Leave out what this kernel cannot show. That is no skip: no work of anybody's would bring it."""
    if ABI:
        return tests
    print("this kernel has no Landlock: that it holds is not shown here", file=sys.stderr)
    suites = [loader.loadTestsFromTestCase(each) for each in (Required, Kernels)]
    return unittest.TestSuite(suites)


if __name__ == "__main__":
    unittest.main()
