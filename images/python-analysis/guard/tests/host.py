"""A host for tests: starts the guard as the sandbox does and speaks the protocol."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import hotcell_guard
from tests import covered

SOURCE = Path(hotcell_guard.__file__).parent.parent
SCRIPT = "script.py"
STAGE_2 = os.environ.get("GUARD_SECCOMP", "")
"""The shipped filter for user code, in base64: every test runs under it where it is set."""
IMPORTS = (
    "pandas numpy scipy scipy.stats scipy.optimize statsmodels statsmodels.api statsmodels.formula.api "
    "matplotlib matplotlib.pyplot plotly plotly.io plotly.express plotly.graph_objects "
    "json re math statistics random datetime collections itertools functools string io typing dataclasses "
    "decimal fractions calendar unicodedata csv hashlib gzip zipfile concurrent concurrent.futures "
    "warnings enum abc time operator contextlib patsy"
).split()


def start_frame(directory: Path, **changes: Any) -> dict[str, Any]:
    """A start frame that works; changes replace its fields, also of rules and limits."""
    start: dict[str, Any] = {
        "protocol": 7,
        "mode": "run",
        "run_id": "1795219431042-9f86d081884c7d65",
        "script_name": SCRIPT,
        "bundle_dir": str(directory / "bundle"),
        "output_dir": str(directory / "output"),
        "tables": [],
        "tools": [],
        "tool_parameters": {},
        "seccomp": STAGE_2,
        "required_controls": [],
        "seed": 0,
        "rules": {
            "imports": list(IMPORTS),
            "denied_builtins": [],
            "denied_attributes": [],
            "denied_syntax": [],
            "max_figures": 20,
            "preloaded": [],
            "inputs": "none",
            "endings": [],
            "left_out": [],
            "answer": "result",
        },
        "limits": {
            "code_bytes": 100_000,
            "stdout_bytes": 200_000,
            "stderr_bytes": 200_000,
            "report_bytes": 1 << 20,
            "input_bytes": 1 << 20,
            "call_bytes": 1 << 16,
            "answer_bytes": 1 << 16,
            "operations": 0,
            "loop_iterations": 0,
            "memory_bytes": 512 << 20,
        },
    }
    for name, value in changes.items():
        part = next((part for part in (start["rules"], start["limits"]) if name in part), start)
        part[name] = value
    return start


class Run:
    """What came back from one run of the guard."""

    def __init__(self, stream: bytes, raw_stderr: bytes, code: int) -> None:
        self.raw_stderr = raw_stderr
        self.code = code
        self.frames = list(split(stream))
        self.kinds = "".join(kind for kind, _ in self.frames)
        self.stdout = self.payload("O").decode()
        self.stderr = self.payload("E").decode()
        self.report: dict[str, Any] = json.loads(self.payload("R") or b"{}", parse_constant=reject)

    def payload(self, kind: str) -> bytes:
        return b"".join(payload for found, payload in self.frames if found == kind)

    @property
    def outcome(self) -> str:
        return str(self.report.get("outcome", f"exit {self.code}: {self.raw_stderr.decode(errors='replace')}"))

    @property
    def error(self) -> str:
        error = self.report["error"]
        return f"{error['type']}: {error['message']}" if error else ""

    @property
    def rules(self) -> list[str]:
        return [violation["rule"] for violation in self.report["violations"]]

    @property
    def paths(self) -> list[str]:
        return [file["path"] for file in self.report["files"]]


def reject(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def split(stream: bytes) -> Any:
    while stream:
        size = int.from_bytes(stream[1:5], "big")
        if len(stream) < 5 + size:
            raise ValueError("torn frame")
        yield chr(stream[0]), stream[5 : 5 + size]
        stream = stream[5 + size :]


def frame(kind: str, payload: bytes) -> bytes:
    return kind.encode() + len(payload).to_bytes(4, "big") + payload


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Have what is started meanwhile be the first of a pid namespace of its own, as in a sandbox: stage 2 lets it signal itself only so."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY)
    try:
        os.unshare(os.CLONE_NEWPID)
        yield
        os.setns(own, os.CLONE_NEWPID)
    finally:
        os.close(own)


class Host:
    """A bundle, an output directory and a scratch directory, and guards in them."""

    def __init__(self, entry: Sequence[str] | None = None) -> None:
        self._entry = covered.ENTRY if entry is None else entry  # what starts a guard, after the interpreter's own options
        self._guards: list[subprocess.Popen[bytes]] = []
        self._temporary = tempfile.TemporaryDirectory(prefix="guard-test-")
        self.directory = Path(self._temporary.name)
        for name in ("bundle", "output", "scratch"):
            (self.directory / name).mkdir()
        self.bundle = self.directory / "bundle"
        self.output = self.directory / "output"

    def close(self) -> None:
        """End the guards that still run and remove the directories."""
        for guard in self._guards:
            guard.kill()  # does nothing to one that has ended and been waited for
            guard.wait(timeout=30)
            for pipe in (guard.stdin, guard.stdout, guard.stderr):
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()  # type: ignore[union-attr]  # all three are pipes
        covered.keep(self.directory / "scratch")
        self._temporary.cleanup()

    def run(self, code: str | bytes, given: Any = None, **changes: Any) -> Run:
        """Run code to its end with the inputs given; changes are those of start_frame."""
        source = code.encode() if isinstance(code, str) else code
        encoded = b"" if given is None else json.dumps(given).encode()
        start = json.dumps(start_frame(self.directory, **changes)).encode()
        return self.talk(frame("S", start) + frame("I", encoded) + frame("C", source))

    def converse(self, given: Any = None, tools: Any = None, **changes: Any) -> Conversation:
        """Start a guard to which further frames are sent; tools are functions by name."""
        names = sorted(tools or {})
        changes = {"tools": names, **changes}
        with alone():
            guard = self.spawn()
        return Conversation(guard, start_frame(self.directory, **changes), given, tools or {})

    def talk(self, request: bytes) -> Run:
        """Send raw bytes."""
        guard = self.spawn()
        stream, raw_stderr = guard.communicate(request, timeout=120)
        return Run(stream, raw_stderr, guard.returncode)

    def spawn(self, **options: Any) -> subprocess.Popen[bytes]:
        """Start a guard with pipes and the sandbox's environment."""
        environment = {
            "PATH": "/usr/bin",
            "HOME": str(self.directory / "scratch"),
            "TMPDIR": str(self.directory / "scratch"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONHASHSEED": "0",
            "SOURCE_DATE_EPOCH": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
            "MPLBACKEND": "agg",
            "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", str(self.directory / "scratch" / "matplotlib")),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": str(SOURCE),  # in the image the guard is an installed package
            **options.pop("environment", {}),
        }
        pipe = subprocess.PIPE
        command = [sys.executable, "-sBP", *self._entry]
        self._guards.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, **options))
        return self._guards[-1]


def run_once(case: unittest.TestCase, code: str, **changes: Any) -> Run:
    """Run code in a host of its own, which ends with the test."""
    host = Host()
    case.addCleanup(host.close)
    return host.run(code, **changes)


class Conversation:
    """A guard that is asked one thing after the other, as a session or with tools."""

    def __init__(self, guard: subprocess.Popen[bytes], start: Any, given: Any, tools: Any) -> None:
        self.guard = guard
        self.calls: list[Any] = []
        self._tools = tools
        self.send("S", json.dumps(start).encode())
        self.send("I", b"" if given is None else json.dumps(given).encode())

    def send(self, kind: str, payload: bytes) -> None:
        assert self.guard.stdin
        self.guard.stdin.write(frame(kind, payload))
        self.guard.stdin.flush()

    def step(self, code: str) -> Run:
        """Send code and read to its report, or to the end of the stream."""
        self.send("C", code.encode())
        return self.listen()

    def listen(self) -> Run:
        stream = b""
        while True:
            found = self._frame()
            stream += found
            if not found or found[:1] == b"R":
                return Run(stream, b"", 0)
            if found[:1] == b"T":
                self._answer(json.loads(found[5:]))

    def interrupt(self, number: int) -> None:
        """Interrupt the script of this number."""
        self.send("X", number.to_bytes(8, "big"))

    def interrupted(self, code: str, number: int, *, marker: bytes = b"begun") -> Run:
        """Send code and read to its report; once it has printed the marker, interrupt the script of this number again and again."""
        self.send("C", code.encode())
        stream, over, asking = [b""], threading.Event(), threading.Thread(target=lambda: None)
        while True:
            found = self._frame()
            stream.append(found)
            if found[:1] == b"O" and marker in found and asking.ident is None:
                asking = threading.Thread(target=self._ask_again, args=(number, over))
                asking.start()
            if found[:1] == b"T":
                self._answer(json.loads(found[5:]))
            if not found or found[:1] == b"R":
                break
        over.set()
        if asking.ident is not None:
            asking.join()
        return Run(b"".join(stream), b"", 0)

    def _ask_again(self, number: int, over: threading.Event) -> None:
        with contextlib.suppress(BrokenPipeError):
            for _ in range(600):
                self.interrupt(number)
                if over.wait(0.1):
                    return
            self.guard.kill()  # its test fails

    def hello(self) -> None:
        """Read what a guard says before its first script."""
        assert self._frame()[:1] == b"H"

    def answer(self) -> str:
        """Read the answer to a question, or "" at the end of the stream."""
        found = self._frame()
        return found[5:].decode() if found[:1] == b"V" else ""

    def _frame(self) -> bytes:
        assert self.guard.stdout
        header = self.guard.stdout.read(5)
        return header + self.guard.stdout.read(int.from_bytes(header[1:], "big"))

    def _answer(self, call: Any) -> None:
        self.calls.append(call)
        answer = {"id": call["id"], "result": None, "error": ""}
        try:
            answer["result"] = self._tools[call["name"]](call["params"])
        except (KeyError, ValueError) as error:
            answer["error"] = f"{call['name']}: {error}"
        self.send("A", json.dumps(answer).encode())

    def end(self) -> tuple[bytes, bytes, int]:
        """End the host's stream; return what still came, the raw error stream and the exit code."""
        stream, raw_stderr = self.guard.communicate(timeout=60)
        return stream, raw_stderr, self.guard.returncode


class EarlyAndLate(unittest.TestCase):
    """Scripts whose modules are loaded before the guard's changes to them, and after."""

    names: Sequence[str] = IMPORTS
    early: Sequence[str] = ()
    """Modules that a policy preloads, for the one of the two."""

    def assert_prints(self, expected: str, script: str) -> None:
        for preloads in (False, True):
            with self.subTest(early=preloads):
                host = Host()
                self.addCleanup(host.close)
                preloaded = [{"name": f"early{at}", "module": name} for at, name in enumerate(self.early)] if preloads else []
                run = host.run(script, imports=list(self.names), preloaded=preloaded)
                self.assertEqual(run.outcome, "completed", run.report)
                self.assertEqual(run.stdout, expected)
