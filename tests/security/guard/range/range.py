"""Runs a corpus of attempts with the image's Python: once plain, once under the guard.

It reads the corpus as JSON from the file that its argument names and writes one
JSON line for each attempt and side. It is trusted and runs as root in a container
of its own; the only wall that an attempt meets on the guarded side is the guard.
"""

from __future__ import annotations

import base64
import concurrent.futures
import fcntl
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
from typing import Any

Attempt = dict[str, str]

PATIENCE = 90
"""Seconds after which an attempt hangs."""

PRELOADED = "hotcell_guard._rules numpy pandas scipy.stats scipy.io matplotlib.pyplot statsmodels.api statsmodels.formula.api plotly.express plotly.io"
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


def run_plain(attempt: Attempt, place: Place) -> None:
    """Become the attempt, as python3 would run it. Returns to the end of the program."""
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
    exec(compile(place.source(attempt), "script.py", "exec", dont_inherit=True), vars(module))


class Finished(Exception):
    """Raised in a child whose attempt is through: the interpreter ends as it would have."""


class Plain:
    """The side without the guard: a fork of this process for each attempt, with the packages loaded."""

    def __init__(self, directory: Path, port: int) -> None:
        self._directory = directory
        self._port = port
        self._running: list[tuple[str, int, Place]] = []
        for name in PRELOADED.split():
            __import__(name)

    def run(self, corpus: list[Attempt], jobs: int) -> None:
        """Run every attempt, some at a time. Raises Finished in the children."""
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
        signal.alarm(PATIENCE)
        outcome = "completed"
        try:
            run_plain(attempt, place)
        except Exception:
            outcome = "raised"
            sys.excepthook(*sys.exc_info())
        json.dumps({"outcome": outcome}, separators=(",", ":"))  # a host that reports as the guard does
        raise Finished

    def _judge_oldest(self) -> None:
        name, child, place = self._running.pop(0)
        _, status = os.waitpid(child, 0)
        text = (place.directory / "plain.txt").read_text("utf-8", "replace")
        escaped = any(line.startswith("ESCAPED:" + name) for line in text.splitlines())
        verdict = "escaped" if escaped else "defective"
        tell(name, {"side": "plain", "verdict": verdict, "detail": f"status {status}: {text[-600:]}"})


def run_guarded(attempt: Attempt, imports: list[str], port: int) -> dict[str, Any]:
    """Run one attempt under a guard of its own and judge it."""
    from tests.host import Host

    host = Host()
    try:
        place = Place(host.directory, port)
        try:
            run = host.run(place.source(attempt), imports=imports)
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


def run_all_guarded(corpus: list[Attempt], imports: list[str], port: int, jobs: int) -> None:
    """Run every attempt, some at a time."""

    def one(attempt: Attempt) -> None:
        tell(attempt["name"], {"side": "guarded", **run_guarded(attempt, imports, port)})

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, corpus))


def tell(name: str, verdict: dict[str, Any]) -> None:
    """Write one line of the answer."""
    print(json.dumps({"name": name, **verdict}), flush=True)


def main() -> None:
    """range.py serve CORPUS, which starts range.py plain CORPUS PORT for the other side."""
    corpus = json.loads(Path(sys.argv[2]).read_text())
    attempts, jobs = corpus["attempts"], corpus["jobs"]
    if sys.argv[1] == "plain":
        Plain(Path(tempfile.mkdtemp(prefix="plain-")), int(sys.argv[3])).run(attempts, jobs)
        return
    bring_loopback_up()
    plain_listener, guarded_listener = Listener(), Listener()
    plain_listener.start()
    guarded_listener.start()
    plain = subprocess.Popen([sys.executable, *sys.orig_argv[1:-2], "plain", sys.argv[2], str(plain_listener.port)])
    run_all_guarded(attempts, corpus["imports"], guarded_listener.port, jobs)
    tell("", {"side": "guarded", "verdict": "connections", "detail": str(guarded_listener.connections)})
    sys.exit(plain.wait())


if __name__ == "__main__":
    try:
        main()
    except Finished:
        sys.exit(0)
