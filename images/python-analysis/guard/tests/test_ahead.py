"""A guard that prepares before there is a run: prepare, and later go."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from typing import Any

from hotcell_guard.speaking import _start
from tests import preparing
from tests.host import Host, Run, frame, split, start_frame

BUDGET = {"operations": 1000}

_REHEARSE = """
import os, sys
from hotcell_guard._session import Session
from hotcell_guard.speaking import _start
class Channel:
    def sender(self, kind):
        return lambda payload: os.write(1, kind + payload)
    def __getattr__(self, name):
        return lambda *given: None
session = Session(Channel(), _start.decode_prepare(sys.argv[1].encode()).start)
session._prepare()
session._load(None)
print("a library's word", file=sys.stderr)
session._rehearse()
os.write(1, b"rehearsed\\n")
session._output.begin(1)
session._output.end()
os._exit(0)
"""
"""It sends nothing but what has been written, and that only when a script begins."""


class Ahead(unittest.TestCase):
    """What is said and done before there is a script, and what a run then brings."""

    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def prepare(self, **changes: Any) -> bytes:
        start = start_frame(self.host.directory, **changes)
        return frame("P", json.dumps({"start": start, "container_seccomp": ""}).encode())

    def go(self, **changes: Any) -> bytes:
        start = start_frame(self.host.directory, **changes)
        own = {name: start[name] for name in ("mode", "run_id", "script_name", "tools", "tool_parameters", "seed", "limits")}
        return frame("G", json.dumps(own).encode())

    def talk(self, code: str, given: bytes = b"", prepared: Any = None, **own: Any) -> Run:
        request = self.prepare(**(prepared or {})) + self.go(**own)
        return self.host.talk(request + frame("I", given) + frame("C", code.encode()))

    def test_a_run_is_what_it_would_be_without(self) -> None:
        self.host.bundle.joinpath("t.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
        table = {"tables": [preparing.of_csv(self.host.bundle, "t.csv")]}
        code = "import numpy as np\nprint(t.a.sum(), np.arange(3).sum())\n(OUTPUT / 'x.txt').write_text('y')\nint(t.b.max())"
        plain, ahead = self.host.run(code, **table), self.talk(code, prepared=table)
        self.assertEqual((plain.kinds, ahead.kinds), ("HYOR", "HWYOR"), ahead.stderr)
        self.assertEqual((ahead.stdout, ahead.report), (plain.stdout, plain.report))
        self.assertEqual((ahead.outcome, ahead.report["result"], ahead.paths), ("completed", 4, ["x.txt"]))

    def test_what_a_template_rehearses_is_silent_and_not_denied_by_its_policy(self) -> None:
        words = {"imports": [], "denied_attributes": ["upper"], "denied_syntax": ["ListComp", "Dict", "JoinedStr"]}
        start = {"start": start_frame(self.host.directory, **words), "container_seccomp": ""}
        done = subprocess.run(
            [sys.executable, "-sB", "-c", _REHEARSE, json.dumps(start)],
            capture_output=True,
            text=True,
            check=False,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("rehearsed\nEa library's word\n", "", 0))

    def test_nobody_comes(self) -> None:
        run = self.host.talk(self.prepare())
        self.assertEqual((run.kinds, run.code, run.raw_stderr), ("HW", 0, b""))

    def test_a_script_is_vetted_under_the_lock(self) -> None:
        run = self.talk("import os")
        self.assertEqual((run.kinds, run.outcome, run.rules), ("HWR", "rejected", ["import.denied"]))

    def test_a_check_runs_nothing(self) -> None:
        run = self.talk("print(1)", mode="check")
        self.assertEqual((run.kinds, run.outcome), ("HWR", "vetted"))
        self.assertEqual(self.talk("import os", mode="check").rules, ["import.denied"])

    def test_inputs_and_limits_are_the_runs(self) -> None:
        prepared = {"inputs": "data", "stdout_bytes": 100_000}
        run = self.talk("print(data['k'] * 100)", b'{"k": "v"}', prepared, stdout_bytes=10)
        self.assertEqual((run.stdout, run.report["truncated"]["stdout"]), ("v" * 10, True))
        refused = self.talk("1", b"{}")
        self.assertIn(b"rules.inputs says that the script has none", refused.raw_stderr)

    def test_a_budget_is_the_runs(self) -> None:
        code = "for n in range(500):\n    pass"
        self.assertEqual(self.talk(code, prepared=BUDGET, operations=10).outcome, "limit")
        self.assertEqual(self.talk(code, prepared={"operations": 1}, operations=10_000).outcome, "completed")
        iterations = self.talk(code, prepared={"loop_iterations": 1}, loop_iterations=10)
        self.assertEqual((iterations.outcome, iterations.report["limit"]), ("limit", "loop_iterations"))

    def test_a_budget_that_nothing_was_prepared_for_is_a_fault(self) -> None:
        for prepared, own in (({}, BUDGET), (BUDGET, {})):
            run = self.talk("1", prepared=prepared, **own)
            self.assertEqual((run.kinds, run.code), ("HW", 70))
            self.assertIn(b"limits.operations", run.raw_stderr)

    def test_a_session_goes_on(self) -> None:
        request = self.prepare() + self.go(mode="session") + frame("I", b"")
        stream, _ = self.host.spawn().communicate(request + frame("C", b"x = 1") + frame("C", b"print(x + 1)"), timeout=120)
        frames = list(split(stream))
        self.assertEqual("".join(kind for kind, _ in frames), "HWYRYOR")
        self.assertEqual([payload for kind, payload in frames if kind == "O"], [b"2\n"])

    def test_a_table_that_cannot_be_read_is_told_at_once(self) -> None:
        table = {"name": "t", "path": "none.table"}
        run = self.host.talk(self.prepare(tables=[table]))
        self.assertEqual((run.kinds, run.code, run.outcome), ("HR", 0, "guard_failed"))
        self.assertIn("table 't'", run.error)

    def test_without_a_guard_the_code_has_python_whole(self) -> None:
        run = self.talk("import os\nprint(os.getuid() >= 0)", prepared={"rules": self.unguarded()})
        self.assertEqual((run.kinds, run.stdout), ("HWYOR", "True\n"), run.outcome)

    def unguarded(self) -> dict[str, Any]:
        return {**start_frame(self.host.directory)["rules"], "unguarded": True}

    def test_what_is_a_runs_own_is_taken_in_as_it_was_told(self) -> None:
        start = _start.decode(json.dumps(start_frame(self.host.directory, operations=5, script_name="a.py")).encode())
        told = start.own()
        start.go(told)
        self.assertEqual(start.own(), told)
        self.assertEqual((start.script_name, start.limits.operations), ("a.py", 5))

    def test_what_is_no_prepare_is_a_fault(self) -> None:
        for payload, words in (
            (b"{", b"prepare is not valid JSON"),
            (b"{}", b"prepare has unknown or missing names"),
            (b'{"start": {}, "container_seccomp": ""}', b"start has unknown or missing names"),
        ):
            run = self.host.talk(frame("P", payload))
            self.assertEqual((run.kinds, run.code), ("H", 70))
            self.assertIn(words, run.raw_stderr)

    def test_what_is_no_go_is_a_fault(self) -> None:
        run = self.host.talk(self.prepare() + frame("G", b"{}"))
        self.assertEqual((run.kinds, run.code), ("HW", 70))
        self.assertIn(b"go has unknown or missing names", run.raw_stderr)
        run = self.host.talk(self.prepare() + frame("S", b"{}"))
        self.assertIn(b"expected a frame of type b'G'", run.raw_stderr)


if __name__ == "__main__":
    unittest.main()
