"""Runs a corpus of attempts with the image's Python: once plain, once under the guard.

It reads the corpus as JSON from the file that its argument names and writes one
JSON line for each attempt and side. It is trusted and runs as root in a container
of its own; the only wall that an attempt meets on the guarded side is the guard.
"""

from __future__ import annotations

import ast
import atexit
import base64
import concurrent.futures
import contextlib
import ctypes
import fcntl
import gc
import json
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import types
from pathlib import Path
from typing import Any, NoReturn

Attempt = dict[str, str]

PATIENCE = 90
"""Seconds after which an attempt hangs."""

PRELOADED = (
    "hotcell_guard.vetting._rules numpy pandas scipy.stats scipy.io matplotlib.pyplot "
    "statsmodels.api statsmodels.formula.api plotly.express plotly.io"
)
REPORT = {"outcome", "error", "violations", "result", "charts", "files", "truncated"}
"""What every report of the guard has."""

TOKEN = "canary:" + secrets.token_hex(16)


def bring_loopback_up() -> None:
    """Set IFF_UP on lo: a new network namespace has it down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


class Listener(threading.Thread):
    """Serves the canary over HTTP on loopback and counts who comes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]
        self.connections = 0

    def run(self) -> None:
        """Answer for ever."""
        body = f"name,value\n{TOKEN},1\n".encode()
        head = f"HTTP/1.0 200 OK\r\nContent-Type: text/csv\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        while True:
            connection, _ = self.socket.accept()
            self.connections += 1
            with connection:
                try:
                    connection.settimeout(5)
                    connection.recv(4096)
                    connection.sendall(head + body)
                except OSError:
                    continue  # it was counted


class Place:
    """The directories of one attempt: its zones, and what lies outside of them."""

    def __init__(self, directory: Path, port: int) -> None:
        self.directory = directory
        for name in ("bundle", "output", "scratch", "outside"):
            (directory / name).mkdir(exist_ok=True)
        (directory / "bundle" / "visits.csv").write_text("subject,age,group\na,61,x\nb,54,y\nc,70,x\n")
        self.outside = directory / "outside"
        (self.outside / "canary.txt").write_text(TOKEN + "\n")
        (self.outside / "canary.mtx").write_text("%%MatrixMarket matrix array real general\n1 1\n4711\n")
        self.port = port

    def source(self, attempt: Attempt) -> bytes:
        """Return the attempt's code with this place's names put in."""
        source = base64.b64decode(attempt["source"])
        names = {"CANARY": self.outside / "canary.txt", "OUTSIDE": self.outside, "PORT": self.port}
        for name, value in names.items():
            source = source.replace(f"@{name}@".encode(), str(value).encode())
        return source

    def touched(self) -> list[str]:
        """Return what was made, changed or removed outside of the zones."""
        planted = {self.outside: {"canary.txt", "canary.mtx"}, self.directory / "bundle": {"visits.csv"}}
        odd = [path.name for place in planted for path in place.iterdir() if path.name not in planted[place]]
        odd += [name for place, names in planted.items() for name in names if not (place / name).is_file()]
        canary = self.outside / "canary.txt"
        return odd + ["canary.txt changed"] * (canary.is_file() and canary.read_text() != TOKEN + "\n")


def run_plain(attempt: Attempt, place: Place) -> types.ModuleType:
    """Become the attempt, as python3 would run it, in the module that this returns."""
    import pathlib

    os.chdir(place.directory / "output")
    with open(place.directory / "plain.txt", "wb", buffering=0) as transcript:
        os.dup2(transcript.fileno(), 1)
        os.dup2(transcript.fileno(), 2)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", closefd=False)  # type: ignore[misc]
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    vars(module).update(DATA=pathlib.Path(place.directory / "bundle"), OUTPUT=pathlib.Path(place.directory / "output"))
    vars(module)["__builtins__"] = __builtins__
    try:
        exec(compile(place.source(attempt), "script.py", "exec", dont_inherit=True), vars(module))
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)  # as the interpreter does
    except Exception:
        sys.excepthook(*sys.exc_info())
    return module


def end_plain(module: types.ModuleType) -> NoReturn:
    """End the process as an interpreter ends as far as an attempt can tell: threads, exit handlers, finalizers.

    The rest of an interpreter's end is to take a hundred packages to pieces, which
    costs more than all attempts together.
    """
    threading._shutdown()
    atexit._run_exitfuncs()
    flush_all()
    vars(module).clear()
    gc.collect(1)
    flush_all()
    os._exit(0)


def flush_all() -> None:
    """Flush the standard streams, which may be an attempt's own objects by now."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):
            stream.flush()  # type: ignore[union-attr]


def end_group(leader: int) -> None:
    """End what an attempt has left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


class Plain:
    """The side without the guard: a fork of this process for each attempt, with the packages loaded."""

    def __init__(self, directory: Path, port: int) -> None:
        self._directory = directory
        self._port = port
        self._running: list[tuple[str, int, Place]] = []
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans of attempts come here
        for name in PRELOADED.split():
            __import__(name)

    def run(self, corpus: list[Attempt], jobs: int) -> None:
        """Run every attempt, some at a time."""
        for attempt in corpus:
            if len(self._running) >= jobs:
                self._judge_oldest()
            self._start(attempt)
        while self._running:
            self._judge_oldest()

    def _start(self, attempt: Attempt) -> None:
        directory = self._directory / attempt["name"]
        directory.mkdir()
        place = Place(directory, self._port)
        child = os.fork()
        if child:
            self._running.append((attempt["name"], child, place))
            return
        os.setpgid(0, 0)
        signal.alarm(PATIENCE)
        module = run_plain(attempt, place)
        json.dumps({"outcome": "completed"}, separators=(",", ":"))  # a host that reports as the guard does
        end_plain(module)

    def _judge_oldest(self) -> None:
        name, child, place = self._running.pop(0)
        _, status = os.waitpid(child, 0)
        clock = threading.Timer(PATIENCE, end_group, [child])
        clock.start()
        with contextlib.suppress(ChildProcessError):  # children of its own may go on, and speak
            while True:
                os.waitpid(-child, 0)
        clock.cancel()
        text = (place.directory / "plain.txt").read_text("utf-8", "replace")
        escaped = any(line.startswith("ESCAPED:" + name) for line in text.splitlines())
        verdict = "escaped" if escaped else "defective"
        tell(name, {"side": "plain", "verdict": verdict, "detail": f"status {status}: {text[-600:]}"})


class Warm:
    """Guards that are forked from one interpreter, which has imported what they all need."""

    def __init__(self, modules: frozenset[str], scratch: str) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            program = str(Path(__file__).with_name("warm.py"))
            self._parent = subprocess.Popen(
                [sys.executable, "-sBP", program, *sorted(modules)], stdin=theirs, env=environment(scratch)
            )

    def close(self) -> None:
        """End the interpreter. No guard of it lives any more."""
        self._requests.close()
        self._parent.wait()

    def talk(self, scratch: str, request: bytes) -> tuple[bytes, bytes, int]:
        """Send a guard all that it is to read; return what it wrote, and how it ended, as subprocess says it."""
        theirs, ours = zip(*(os.pipe() if write else reversed(os.pipe()) for write in (True, False, False)), strict=True)
        try:
            socket.send_fds(self._requests, [json.dumps(environment(scratch)).encode()], list(theirs))
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        with open(ours[0], "wb") as stdin, open(ours[1], "rb") as stdout, open(ours[2], "rb") as stderr:
            child = int(self._requests.recv(64))
            late = threading.Event()
            clock = threading.Timer(PATIENCE, lambda: (late.set(), os.kill(child, signal.SIGKILL)))
            clock.start()
            with concurrent.futures.ThreadPoolExecutor(2) as readers:
                written, raw = readers.submit(stdout.read), readers.submit(stderr.read)
                with contextlib.suppress(BrokenPipeError):  # it may end without reading
                    stdin.write(request)
                    stdin.close()
                status = os.waitstatus_to_exitcode(int(self._requests.recv(64)))
                clock.cancel()
                if late.is_set():
                    raise subprocess.TimeoutExpired("guard", PATIENCE)
                return written.result(), raw.result(), status


def environment(scratch: str) -> dict[str, str]:
    """Return what a guard gets in the sandbox."""
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    python = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "PYTHONPATH": "/range/guard/src"}
    places = {"PATH": "/usr/bin", "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8", "TZ": "UTC"}
    return {**places, **python, **threads, "MPLBACKEND": "agg", "MPLCONFIGDIR": os.environ["MPLCONFIGDIR"]}


def modules_of(attempt: Attempt, imports: list[str]) -> frozenset[str]:
    """Return what the guard would load for an attempt before it begins, but for the standard library."""
    from hotcell_guard.confining import _warmup

    try:
        needed = _warmup.needs(ast.parse(base64.b64decode(attempt["source"]))).modules
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()  # it is refused
    return frozenset(name for name in needed & set(imports) if name.partition(".")[0] not in sys.stdlib_module_names)


def run_guarded(attempt: Attempt, imports: list[str], port: int, warm: Warm) -> dict[str, Any]:
    """Run one attempt under a guard of its own and judge it."""
    from tests import host as hosts

    host = hosts.Host()
    try:
        place = Place(host.directory, port)
        start = json.dumps(hosts.start_frame(host.directory, imports=imports)).encode()
        frames = hosts.frame("S", start) + hosts.frame("I", b"") + hosts.frame("C", place.source(attempt))
        try:
            run = hosts.Run(*warm.talk(str(host.directory / "scratch"), frames))
        except subprocess.TimeoutExpired:
            return {"verdict": "hung", "detail": ""}
        except ValueError as error:
            return {"verdict": "escaped", "detail": f"forged frames: {error}"}
        return judge(attempt["name"], run, place)
    finally:
        host.close()


def judge(name: str, run: Any, place: Place) -> dict[str, Any]:
    """Say what became of a guarded attempt. Evidence counts, whatever the report says."""
    printed = run.stdout + run.stderr + run.raw_stderr.decode("utf-8", "replace")
    marked = [line for line in printed.splitlines() if line.startswith("ESCAPED:" + name)]
    touched = place.touched()
    if marked or touched or TOKEN in printed + json.dumps(run.report):
        return {"verdict": "escaped", "detail": "; ".join([*marked, *touched]) or "the canary came out"}
    if run.code == 70 and b"protocol fault" not in run.raw_stderr:  # then the attempt never ran
        return {"verdict": "fault", "detail": run.raw_stderr.decode("utf-8", "replace")[-300:]}
    if run.code != 0:
        return {"verdict": "crashed", "detail": f"exit {run.code}: {run.raw_stderr.decode('utf-8', 'replace')[-300:]}"}
    if not REPORT <= run.report.keys():
        return {"verdict": "escaped", "detail": f"forged report: {run.report}"}
    detail = run.error if run.report["error"] else "; ".join(f"{v['rule']}: {v['message']}" for v in run.report["violations"])
    return {"verdict": run.report["outcome"], "detail": detail[:400]}


BATCH = 40
"""How many attempts one warmed interpreter serves at most, so that there is work for all jobs."""


def run_all_guarded(corpus: list[Attempt], imports: list[str], port: int, jobs: int) -> None:
    """Run every attempt, some at a time, those that load the same from one interpreter."""
    alike: dict[frozenset[str], list[Attempt]] = {}
    for attempt in corpus:
        alike.setdefault(modules_of(attempt, imports), []).append(attempt)

    def batch(modules: frozenset[str], attempts: list[Attempt]) -> None:
        with tempfile.TemporaryDirectory(prefix="warm-") as scratch:
            warm = Warm(modules, scratch)
            try:
                for attempt in attempts:
                    tell(attempt["name"], {"side": "guarded", **run_guarded(attempt, imports, port, warm)})
            finally:
                warm.close()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        batches = [
            pool.submit(batch, modules, attempts[first : first + BATCH])
            for modules, attempts in sorted(alike.items(), key=lambda group: -len(group[1]))
            for first in range(0, len(attempts), BATCH)
        ]
        for each in batches:
            each.result()


SIDES: dict[str, tuple[tuple[str, ...], dict[str, Any], bool]] = {
    "bare": (("-m", "hotcell_guard"), {"unguarded": True}, False),
    "locked": (("/range/stage2.py",), {"unguarded": True}, True),
    "landlock": (("-m", "hotcell_guard"), {"unguarded": True}, True),
    "bypassed": (("/range/bypassed.py",), {}, True),
}
"""Who runs a program that starts with everything in hand: what starts the guard, its
rules, and whether it is locked. All but the last have neither hook nor reduction; the
lock of the third is whole, where the kernel has Landlock."""


def run_sequel(attempt: Attempt, side: str, corpus: dict[str, Any], port: int) -> dict[str, Any]:
    """Run one program of the suite on one side and judge it."""
    from tests.host import Host, start_frame

    entry, changes, locked = SIDES[side]
    host = Host(entry)
    try:
        place = Place(host.directory, port)
        rules = {**start_frame(host.directory)["rules"], "imports": corpus["imports"], **changes}
        budgets = {"operations": 200_000, "loop_iterations": 200_000} if attempt["budget"] and side == "bypassed" else {}
        try:
            run = host.run(place.source(attempt), rules=rules, seccomp=corpus["stage2"] if locked else "", **budgets)
        except subprocess.TimeoutExpired:
            return {"verdict": "hung", "detail": ""}
        except ValueError as error:
            return {"verdict": "escaped", "detail": f"forged frames: {error}"}
        verdict = judge(attempt["name"], run, place)
        if "ESCAPED:" + attempt["name"] in json.dumps(run.report.get("result")):
            return {"verdict": "escaped", "detail": "the report is the script's own"}
        return verdict
    finally:
        host.close()


def run_sequels(corpus: dict[str, Any], port: int) -> None:
    """Run every program on every side, some at a time."""

    def one(job: tuple[Attempt, str]) -> None:
        attempt, side = job
        tell(attempt["name"], {"side": side, **run_sequel(attempt, side, corpus, port)})

    with concurrent.futures.ThreadPoolExecutor(corpus["jobs"]) as pool:
        list(pool.map(one, [(attempt, side) for attempt in corpus["attempts"] for side in SIDES]))


def tell(name: str, verdict: dict[str, Any]) -> None:
    """Write one line of the answer."""
    print(json.dumps({"name": name, **verdict}), flush=True)


def main() -> None:
    """range.py serve CORPUS, which starts range.py plain CORPUS PORT for the other side; range.py sequels CORPUS."""
    corpus = json.loads(Path(sys.argv[2]).read_text())
    attempts, jobs = corpus["attempts"], corpus["jobs"]
    if sys.argv[1] == "plain":
        Plain(Path(tempfile.mkdtemp(prefix="plain-")), int(sys.argv[3])).run(attempts, jobs)
        return
    bring_loopback_up()
    if sys.argv[1] == "sequels":
        listener = Listener()
        listener.start()
        run_sequels(corpus, listener.port)
        return
    plain_listener, guarded_listener = Listener(), Listener()
    plain_listener.start()
    guarded_listener.start()
    plain = subprocess.Popen([sys.executable, *sys.orig_argv[1:-2], "plain", sys.argv[2], str(plain_listener.port)])
    run_all_guarded(attempts, corpus["imports"], guarded_listener.port, jobs)
    tell("", {"side": "guarded", "verdict": "connections", "detail": str(guarded_listener.connections)})
    sys.exit(plain.wait())


if __name__ == "__main__":
    main()
