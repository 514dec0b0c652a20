"""The lock, on its own: each test runs a process that locks itself, since no lock can be undone."""

from __future__ import annotations

import base64
import struct
import subprocess
import sys
import textwrap
import unittest

from tests.host import SOURCE, STAGE_2

ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050001, 0x80000000
LOAD, EQUAL, BITS, RETURN = 0x20, 0x15, 0x45, 0x06  # BPF: ld [k], jeq, jset, ret
NUMBER, PROT = 0, 16 + 2 * 8  # offsets in struct seccomp_data
MMAP, UNSHARE = (9, 272) if sys.implementation._multiarch.startswith("x86_64") else (222, 97)


def program(*instructions: tuple[int, int, int, int]) -> bytes:
    return b"".join(struct.pack("=HBBI", *each) for each in instructions)


NO_CODE = program(
    (LOAD, 0, 0, NUMBER),
    (EQUAL, 0, 3, MMAP),
    (LOAD, 0, 0, PROT),
    (BITS, 0, 1, 4),
    (RETURN, 0, 0, EPERM),
    (LOAD, 0, 0, NUMBER),
    (EQUAL, 0, 1, UNSHARE),
    (RETURN, 0, 0, KILL),
    (RETURN, 0, 0, ALLOW),
)
EVERYTHING = program((RETURN, 0, 0, ALLOW))

PRELUDE = """
import ctypes, mmap, os, sys, threading
from hotcell_guard.confining import _lock
libc = ctypes.CDLL(None, use_errno=True)
if not new_privileges:
    libc.prctl(38, 1, 0, 0, 0)
def code():
    try:
        mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)
    except PermissionError:
        return "refused"
    return "mapped"
def lock(program):
    try:
        _lock.install(program, None)
    except _lock.LockFault as fault:
        return str(fault)
    return "locked"
"""


def locked(body: str, *, filters: bytes = NO_CODE, new_privileges: bool = False) -> tuple[str, int]:
    """Run body in a process of its own; return what it printed and how it ended."""
    text = f"program = {filters!r}\nnew_privileges = {new_privileges}\n{PRELUDE}\n{textwrap.dedent(body)}"
    done = subprocess.run(
        [sys.executable, "-sBP", "-c", text], capture_output=True, env={"PYTHONPATH": str(SOURCE)}, timeout=60, check=False
    )
    return done.stdout.decode().strip() + done.stderr.decode().strip(), done.returncode


class Lock(unittest.TestCase):
    def test_code_can_be_mapped_before_and_not_after(self) -> None:
        self.assertEqual(locked("print(code(), lock(program), code())"), ("mapped locked refused", 0))

    def test_holds_in_a_thread_that_was_there_before(self) -> None:
        body = """
            begin, found = threading.Event(), []
            thread = threading.Thread(target=lambda: (begin.wait(), found.append(code())))
            thread.start()
            print(lock(program)); begin.set(); thread.join(); print(found)
        """
        self.assertEqual(locked(body), ("locked\n['refused']", 0))

    def test_a_thread_can_still_be_made(self) -> None:
        body = "lock(program); t = threading.Thread(target=print, args=('ran',)); t.start(); t.join()"
        self.assertEqual(locked(body), ("ran", 0))

    def test_a_kill_is_a_kill(self) -> None:
        self.assertEqual(locked("lock(program); libc.unshare(0); print('alive')"), ("", -31))

    def test_dumpable_is_given_up(self) -> None:
        self.assertEqual(locked("print(libc.prctl(3)); lock(program); print(libc.prctl(3))"), ("1\n0", 0))

    def test_works_under_the_audit_hook(self) -> None:
        body = """
            from hotcell_guard.confining import _audit
            from hotcell_guard.granting import _files
            from hotcell_guard.vetting import _rules
            rules = _rules.Rules(frozenset(), frozenset(), frozenset())
            _audit.install(_files.Zones('', '/tmp', '/tmp'), rules, frozenset())
            print(lock(program))
        """
        self.assertEqual(locked(body), ("locked", 0))

    def test_leaves_no_way_to_the_kernel_behind(self) -> None:
        self.assertEqual(locked("lock(program); print(_lock._kernel)"), ("None", 0))


class Faults(unittest.TestCase):
    def test_a_filter_that_refuses_nothing(self) -> None:
        found = locked("print(lock(program))", filters=EVERYTHING)
        self.assertEqual(found, ("the filter is loaded, and code can still be mapped", 0))

    def test_a_second_lock(self) -> None:
        self.assertEqual(locked("lock(program); print(lock(program))"), ("there is a lock already", 0))

    def test_without_no_new_privs(self) -> None:
        body = "print(lock(program))"
        with open("/proc/self/status") as status:
            set_already = "NoNewPrivs:\t1" in status.read()
        if set_already:  # what cannot be undone is made believe
            body = "_lock._no_new_privs = lambda kernel: False\n" + body
        self.assertEqual(locked(body, new_privileges=True), ("no_new_privs is not set", 0))

    def test_a_filter_that_is_none(self) -> None:
        for filters in (b"", b"1234567", b"12345678" * 4097):
            with self.subTest(len(filters)):
                found, _ = locked("print(lock(program))", filters=filters)
                self.assertEqual(found, f"a filter cannot have {len(filters)} bytes")

    def test_a_filter_that_the_kernel_refuses(self) -> None:
        found, _ = locked("print(lock(program))", filters=program((LOAD, 0, 0, NUMBER)))
        self.assertEqual(found, "the kernel refuses the filter")

    def test_a_thread_with_a_filter_of_its_own(self) -> None:
        body = """
            ready, end = threading.Event(), threading.Event()
            def other():
                kernel, filters = _lock._Kernel(), bytes((6, 0, 0, 0, 0, 0, 255, 127))
                header = _lock._Program(1, filters)
                print(kernel.seccomp(_lock._SECCOMP[os.uname().machine], 1, 0, ctypes.byref(header)), flush=True)
                ready.set(); end.wait()
            thread = threading.Thread(target=other); thread.start(); ready.wait()
            print(lock(program)); end.set()
        """
        found, _ = locked(body)
        self.assertEqual(found, "0\na thread has a filter of its own and cannot be put under this one")

    def test_a_thread_that_was_left_out(self) -> None:
        body = """
            _lock._FLAG_TSYNC = 0
            end = threading.Event()
            threading.Thread(target=end.wait).start()
            print(lock(program)); end.set()
        """
        self.assertIn(locked(body)[0].removesuffix("\n"), ("a thread is not under a filter", LEFT_OUT))

    def test_ends_the_guard_before_any_user_code(self) -> None:
        from tests.host import Host

        host = Host()
        self.addCleanup(host.close)
        run = host.run("print('ran')", seccomp=base64.b64encode(EVERYTHING).decode())
        self.assertEqual((run.kinds, run.code), ("H", 70), run.raw_stderr)
        self.assertIn(b"lock fault: the filter is loaded, and code can still be mapped", run.raw_stderr)


LEFT_OUT = "the number of filters did not grow by one in every thread"


@unittest.skipIf(not STAGE_2, "")
class Shipped(unittest.TestCase):
    """The profile that runs are given, and what it leaves of Python."""

    def setUp(self) -> None:
        self.filters = base64.b64decode(STAGE_2)

    def test_refuses(self) -> None:
        for attempt in (
            "os.fork()",
            "os.execv('/usr/bin/python3', ['python3'])",
            "__import__('socket').socket()",
            "__import__('socket').socketpair()",
            "os.symlink('a', '/tmp/link')",
            "os.link('/usr/bin/python3', '/tmp/link')",
            "os.chmod('/tmp', 0o777)",
            "os.mkfifo('/tmp/fifo')",
            "os.kill(os.getpid(), 0)",
            "os.pipe()",
            "os.chdir('/')",
            "os.setpriority(0, 0, 5)",
            "os.memfd_create('x')",
            "os.sched_setaffinity(0, {0})",
            "os.posix_spawn('/usr/bin/python3', ['x'], {})",
        ):
            with self.subTest(attempt):
                body = f"lock(program)\ntry: {attempt}\nexcept PermissionError as error: print(error.errno)\nelse: print('done')"
                self.assertEqual(locked(body, filters=self.filters)[0], "1")

    def test_ends_the_process(self) -> None:
        for attempt in ("unshare(0x10000000)", "mount(0, 0, 0, 0, 0)", "ptrace(0, 0, 0, 0)", "setns(0, 0)", "chroot(b'/')"):
            with self.subTest(attempt):
                self.assertEqual(locked(f"lock(program); libc.{attempt}", filters=self.filters), ("", -31))

    def test_leaves_what_analyses_need(self) -> None:
        body = """
            lock(program)
            import time, tempfile, random
            from concurrent.futures import ThreadPoolExecutor
            with tempfile.TemporaryDirectory() as directory:
                os.mkdir(directory + '/a'); open(directory + '/a/b', 'w').write('x' * 100000)
                os.rename(directory + '/a/b', directory + '/c')
                mapped = mmap.mmap(os.open(directory + '/c', os.O_RDWR), 4096); mapped[0] = 65; mapped.flush()
            time.sleep(0.001); random.SystemRandom().random(); os.cpu_count(); os.isatty(0); time.process_time()
            print(sum(ThreadPoolExecutor(4).map(abs, range(5))), os.path.exists('/usr'), os.access('/usr', os.R_OK))
        """
        self.assertEqual(locked(body, filters=self.filters), ("10 True True", 0))


if __name__ == "__main__":
    unittest.main()
