"""A guard that prepares before there is a run: prepare, and later go."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from collections.abc import Sequence
from typing import Any

from hotcell_guard.speaking import _start
from tests import preparing
from tests.host import Host, Run, alone, frame, split, start_frame

BUDGET = {"operations": 1000}

OTHER = {
    "mode": "check",
    "run_id": "another",
    "script_name": "another.py",
    "tools": [],
    "tool_parameters": {},
    "seed": 0,
    "limits": {
        **dict.fromkeys(("code_bytes", "stdout_bytes", "stderr_bytes", "report_bytes", "input_bytes"), 10),
        **dict.fromkeys(("call_bytes", "answer_bytes", "memory_bytes"), 10),
        **dict.fromkeys(("operations", "loop_iterations"), 1),
    },
}
"""What is a run's own, as no run has it here."""

SHOWS = """
import sys, doctest, random
import numpy as np
def doubled(n):
    '''
    >>> doubled(1)
    3
    '''
    return 2 * n
print(__file__, sys.argv, sorted(name for name in globals() if name[0] != "_"))
print(random.random(), np.random.random(), doctest.testmod())
print(sum(1 for _ in range(3000)), context.tools, len(context.inputs.text))
try: context.tools.call("a", {"text": "x" * 3000})
except BaseException as error: print(repr(error)[:200])
[n for n in range(3000)]
"""

_READERS = """
import json, os, sys
from hotcell_guard._session import Session
from hotcell_guard.speaking import _start
class Watched(_start.Start):
    __slots__ = ()
    def __getattribute__(self, name):
        if name in _start._GO:
            read.append((sys._getframe(1).f_code.co_qualname, name))
        return super().__getattribute__(name)
class Channel:
    descriptors = frozenset()
    def __getattr__(self, name):
        return lambda *given: lambda *given: None
read = []
start = _start.decode(sys.argv[1].encode())
start.__class__ = Watched
session = Session(Channel(), start)
session._prepare()
session._load(None)
session._make_hook()
session._interrupts.prepare(session._namespace, {})
session._views.make_ahead()
os.write(1, json.dumps(sorted(set(read))).encode())
os._exit(0)
"""

READERS = {
    ("Session.__init__", "limits"): "Session.allow",
    ("Session._make_namespace", "script_name"): "Session.accept",
    ("Toolbox.allow", "limits"): "Session.allow",
    ("Toolbox.allow", "tools"): "Session.allow",
    ("Seeds.__call__", "seed"): "again before the script",
    ("inputs", "script_name"): "Session.accept",
    ("_context", "tools"): "Session.accept",
    ("_names", "tool_parameters"): "Session.accept",
    ("_names", "tools"): "Session.accept",
    ("Start.variables", "tools"): "Session.accept",
}
"""Who reads what is a run's own before there is a run, and what reads it again when there is one."""

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


def _say(program: str, start: Any) -> str:
    done = subprocess.run(
        [sys.executable, "-sB", "-c", program, json.dumps(start)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    if done.returncode or done.stderr:
        raise AssertionError(done.stderr)
    return done.stdout


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

    def test_nothing_of_what_it_was_prepared_with_is_the_runs(self) -> None:
        own = {"inputs": "context", "tools": ["a"], "tool_parameters": {"a": ["text"]}, "operations": 50_000, "loop_iterations": 50_000}
        own = {**own, "imports": ["builtins", "doctest", "numpy", "random", "sys"], "call_bytes": 1000, "seed": 3, "script_name": "own.py"}
        other = {**own, **OTHER}
        taken = json.loads(self.go(**own)[5:])
        for name, value in taken.items():
            self.assertNotEqual(value, other[name], name)
        for name, value in taken["limits"].items():
            self.assertNotEqual(value, OTHER["limits"][name], name)
        given = {"inputs": {"text": "x" * 100}}
        plain = self.host.run(SHOWS, given, **own)
        ahead = self.talk(SHOWS, json.dumps(given).encode(), other, **own)
        self.assertEqual(plain.outcome, "completed", plain.report)
        self.assertIn("/output/own.py ['own.py'] ", plain.stdout)
        self.assertIn('File "own.py", line ?', plain.stdout)
        self.assertEqual((ahead.stdout, ahead.stderr, ahead.report), (plain.stdout, plain.stderr, plain.report))

    def test_who_reads_it_before_there_is_a_run_reads_it_again(self) -> None:
        found = set()
        for inputs in ("names", "context", "data"):
            own = {"tools": ["a"], "tool_parameters": {"a": ["x"]}} if inputs != "data" else {}
            start = start_frame(self.host.directory, inputs=inputs, imports=["sys", "random"], **own)
            found |= {tuple(each) for each in json.loads(_say(_READERS, start))}
        self.assertEqual(found - READERS.keys(), set(), "of what is forked it is known later")
        self.assertEqual(READERS.keys() - found, set())

    def test_a_budget_that_a_step_uses_up_costs_the_step_alone(self) -> None:
        for budget, code in (("loop_iterations", "while True: pass"), ("operations", "def f(n): return f(n - 1) + f(n - 2) if n > 1 else n\nf(80)")):
            prepared = {budget: 1}
            reports = self.steps(("kept = 1", code, "kept + 1"), prepared, **{budget: 100})
            self.assertEqual([each["outcome"] for each in reports], ["completed", "raised", "completed"])
            self.assertEqual((reports[1]["limit"], reports[2]["result"]), (budget, 2))
            alone_it_is = self.talk(code, prepared=prepared, **{budget: 100})
            self.assertEqual((alone_it_is.outcome, alone_it_is.report["limit"]), ("limit", budget))

    def steps(self, codes: Sequence[str], prepared: Any, **own: Any) -> list[Any]:
        """The reports of a session's steps."""
        request = self.prepare(**prepared) + self.go(mode="session", **own) + frame("I", b"")
        with alone():
            guard = self.host.spawn()
        stream, _ = guard.communicate(request + b"".join(frame("C", code.encode()) for code in codes), timeout=120)
        return [json.loads(payload) for kind, payload in split(stream) if kind == "R"]

    def test_what_a_template_rehearses_is_silent_and_not_denied_by_its_policy(self) -> None:
        words = {"imports": [], "denied_attributes": ["upper"], "denied_syntax": ["ListComp", "Dict", "JoinedStr"]}
        start = {"start": start_frame(self.host.directory, **words), "container_seccomp": ""}
        self.assertEqual(_say(_REHEARSE, start), "rehearsed\nEa library's word\n")

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

    def test_what_was_drawn_or_bound_for_a_run_is_no_others(self) -> None:
        for prepared in ({"seed": 1}, {"inputs": "names", "tools": ["a"]}):
            self.assertEqual(self.talk("1", prepared=prepared, **prepared).outcome, "completed")
            run = self.talk("1", prepared=prepared)
            self.assertEqual((run.kinds, run.code), ("HW", 70), prepared)
            self.assertIn(b"another seed or other tools", run.raw_stderr)

    def test_what_is_no_go_is_a_fault(self) -> None:
        run = self.host.talk(self.prepare() + frame("G", b"{}"))
        self.assertEqual((run.kinds, run.code), ("HW", 70))
        self.assertIn(b"go has unknown or missing names", run.raw_stderr)
        run = self.host.talk(self.prepare() + frame("S", b"{}"))
        self.assertIn(b"expected a frame of type b'G'", run.raw_stderr)


if __name__ == "__main__":
    unittest.main()
