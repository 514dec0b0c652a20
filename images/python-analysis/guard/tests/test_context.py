"""Inputs and tools."""

from __future__ import annotations

import json
import time
import unittest
from typing import Any

from tests.host import Host, Run, frame, start_frame

INPUTS = {"inputs": {"x": {"y": [1, {"z": 2}]}, "items": 5}, "steps": {"load": {"rows": 3}}, "config": {"seed": 7}}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def completed(self, run: Run) -> Any:
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.stderr)
        return run.report["result"]


class Data(Case):
    def test_is_a_plain_dict(self) -> None:
        code = "[type(data).__name__, type(data['t']).__name__, data['t']['rows'][1], data['n'], data['f']]"
        values = {"t": {"rows": [1, "ä"]}, "n": None, "f": 1.5}
        self.assertEqual(self.completed(self.host.run(code, values, inputs="data")), ["dict", "dict", "ä", None, 1.5])

    def test_is_empty_without_inputs(self) -> None:
        self.assertEqual(self.completed(self.host.run("data", inputs="data")), {})

    def test_is_not_there_where_the_policy_has_none(self) -> None:
        self.assertEqual(self.host.run("data").report["error"]["type"], "NameError")
        self.assertEqual(self.host.run("context", inputs="data").report["error"]["type"], "NameError")

    def test_corrupt_inputs_are_a_fault(self) -> None:
        for payload in (b"[]", b"{", b'{"a": NaN}', b'{"a": 1, "a": 2}', b'{"a": "\\ud800"}', b"\xff", b"{}{}", b"[" * 100_000):
            with self.subTest(payload[:20]):
                start = json.dumps(start_frame(self.host.directory, inputs="data")).encode()
                run = self.host.talk(frame("S", start) + frame("I", payload) + frame("C", b"1"))
                self.assertEqual((run.kinds, run.code), ("H", 70))
                self.assertIn(b"protocol fault: inputs are not", run.raw_stderr)


class Context(Case):
    def test_items_are_attributes_too(self) -> None:
        code = (
            "[context.inputs.x.y[1].z, context.inputs['x']['y'][1]['z'], context.inputs.get('nothing', 9),\n"
            " context.inputs['items'], context.steps.load.rows, context.config['seed'], sorted(context.inputs),\n"
            " isinstance(context.inputs, dict), context.tools.names, {**context.steps.load}]"
        )
        result = self.completed(self.host.run(code, INPUTS, inputs="context"))
        self.assertEqual(result, [2, 2, 9, 5, 3, 7, ["items", "x"], True, [], {"rows": 3}])

    def test_what_is_missing_is_named(self) -> None:
        run = self.host.run("context.steps.laod", INPUTS, inputs="context")
        self.assertEqual(run.error, "AttributeError: there is no 'laod' here, only 'load'")
        self.assertEqual(self.host.run("context.steps['laod']", INPUTS, inputs="context").error, "KeyError: 'laod'; maybe you meant 'load'; the keys are 'load'")

    def test_can_be_copied_changed_and_tabulated(self) -> None:
        code = (
            "import json, pandas as pd\nx = dict(context.inputs)\ncontext.inputs.n = 1\ndel context.inputs.n\n"
            "context.inputs['m'] = 2\n"
            "[json.loads(json.dumps(context.steps)), len(pd.DataFrame([context.steps.load])), context.inputs.m,\n"
            " hasattr(context.inputs, 'n')]"
        )
        self.assertEqual(
            self.completed(self.host.run(code, INPUTS, inputs="context")), [{"load": {"rows": 3}}, 1, 2, False]
        )

    def test_sections_that_are_missing_are_empty(self) -> None:
        code = "[context.inputs, context.steps, context.config]"
        self.assertEqual(self.completed(self.host.run(code, inputs="context")), [{}, {}, {}])

    def test_unknown_sections_are_a_fault(self) -> None:
        for values in ({"input": {}}, {"inputs": 1}, {"inputs": None}):
            run = self.host.run("1", values, inputs="context")
            self.assertEqual((run.kinds, run.code), ("H", 70))


def double(params: Any) -> Any:
    return {"twice": params["n"] * 2, "sent": params}


def fail(params: Any) -> Any:
    raise ValueError("the host's words")


TOOLS = {"double": double, "fail": fail}


class Tools(Case):
    def converse(self, code: str, **changes: Any) -> tuple[Run, list[Any]]:
        talk = self.host.converse(tools=TOOLS, **{"inputs": "context", **changes})
        run = talk.step(code)
        self.assertEqual(talk.end(), (b"", b"", 0))
        return run, talk.calls

    def test_a_call_and_its_answer(self) -> None:
        run, calls = self.converse(
            "answer = context.tools.call('double', {'n': 21})\nprint(context.tools.names)\n"
            "[answer.twice, answer['sent'], context.tools.call('double', params={'n': 1}).twice]"
        )
        self.assertEqual(self.completed(run), [42, {"n": 21}, 2])
        self.assertEqual(run.kinds, "HYTOTR")
        self.assertEqual([(call["id"], call["name"], sorted(call)) for call in calls], [(1, "double", ["id", "name", "params"])] + [(2, "double", ["id", "name", "params"])])

    def test_an_error_is_an_exception_with_the_hosts_words(self) -> None:
        run, calls = self.converse("context.tools.call('fail')")
        self.assertEqual((run.error, calls[0]["params"]), ("ToolError: fail: the host's words", {}))
        run, _ = self.converse("try: context.tools.call('fail')\nexcept context.tools.ToolError as e: x = str(e)\nx")
        self.assertEqual(self.completed(run), "fail: the host's words")

    def test_an_unknown_tool_is_the_hosts_to_refuse_and_count(self) -> None:
        run, calls = self.converse("context.tools.call('nothing', {})")
        self.assertEqual((run.report["error"]["type"], len(calls)), ("ToolError", 1))

    def test_parameters_are_converted_as_results_are(self) -> None:
        code = (
            "import numpy as np, pandas as pd, datetime\n"
            "context.tools.call('double', {'n': np.int64(2), 'd': datetime.date(2020, 1, 2), 'a': np.arange(2), 't': (1, pd.NA),"
            " 'f': float('nan')}).sent"
        )
        run, _ = self.converse(code)
        self.assertEqual(self.completed(run), {"n": 2, "d": "2020-01-02", "a": [0, 1], "t": [1, None], "f": None})

    def test_parameters_without_a_json_form_are_refused_by_their_place(self) -> None:
        for params, words in (
            ("{'a': [1, {'b': object()}]}", "params['a'][1]['b'] is of type object, which has no JSON form"),
            ("{'f': len}", "params['f'] is of type builtin_function_or_method"),
            ("[1]", "the parameters of a tool are a dict, not list"),
            ("'x'", "the parameters of a tool are a dict, not str"),
        ):
            run, calls = self.converse(f"context.tools.call('double', {params})")
            self.assertEqual((run.report["error"]["type"], calls), ("TypeError", []))
            self.assertIn(words, run.error)
        run, calls = self.converse("context.tools.call(1, {})")
        self.assertEqual((run.report["error"]["type"], calls), ("TypeError", []))

    def test_a_name_that_no_json_can_hold_is_refused(self) -> None:
        run, calls = self.converse("context.tools.call('dou\\ud800ble', {})")
        self.assertEqual((run.report["error"]["type"], calls), ("ValueError", []))
        self.assertIn("half of a surrogate pair", run.error)

    def test_calls_that_are_too_large_are_refused(self) -> None:
        for size in (990, 5000, 10**6):
            run, calls = self.converse(f"context.tools.call('double', {{'n': 'x' * {size}}})", call_bytes=1000)
            self.assertEqual((run.report["error"]["type"], calls), ("ValueError", []), run.error)
            self.assertRegex(run.error, "limit (is|of) 1000")

    def test_threads_take_turns(self) -> None:
        run, calls = self.converse(
            "from concurrent.futures import ThreadPoolExecutor\n"
            "def f(n):\n    print('x' * 100)\n    return context.tools.call('double', {'n': n}).twice\n"
            "list(ThreadPoolExecutor(8).map(f, range(100)))"
        )
        self.assertEqual(self.completed(run), [2 * n for n in range(100)])
        self.assertEqual([call["id"] for call in calls], list(range(1, 101)))

    def test_a_call_from_a_finaliser_tears_no_frame(self) -> None:
        run, calls = self.converse(
            "done = []\n"
            "def finalised(me):\n    try: yield\n    finally:\n"
            "        try: done.append(context.tools.call('double', {'n': 1}).twice)\n"
            "        except context.tools.ToolError as e: done.append(str(e))\n"
            "for i in range(20_000):\n    me = []\n    me.append(finalised(me))\n    next(me[0])\n    if i % 100 == 0: print(context.tools.call('double', {'n': i}).twice)\n"
            "    else: print('y')\n"
            "result = len(done)",
            stdout_bytes=1 << 30,
        )
        self.assertGreater(self.completed(run), 100)

    def test_no_call_between_two_steps(self) -> None:
        talk = self.host.converse(tools=TOOLS, inputs="context", mode="session")
        code = (
            "from concurrent.futures import ThreadPoolExecutor\nimport time\nsaid = []\n"
            "def later():\n    while not (OUTPUT / 'go').exists(): time.sleep(0.01)\n"
            "    try: context.tools.call('double', {'n': 1})\n    except Exception as e: said.append(str(e))\n"
            "    (OUTPUT / 'done').write_text('')\n"
            "ThreadPoolExecutor(1).submit(later)\nNone"
        )
        talk.step(code)
        (self.host.output / "go").touch()  # now no step runs
        for _ in range(6000):  # not for good, should the call be waiting for its answer
            if (self.host.output / "done").exists():
                break
            time.sleep(0.01)
        run = talk.step("context.tools.call('double', {'n': 4})\nsaid")
        self.assertEqual(self.completed(run), ["no tool can be called after the end of the script"])
        self.assertEqual([call["id"] for call in talk.calls], [1])

    def test_the_end_of_a_step_waits_for_the_answer_to_another_thread(self) -> None:
        talk = self.host.converse(tools={"slow": lambda params: time.sleep(0.5)}, inputs="context", mode="session")
        code = (
            "from concurrent.futures import ThreadPoolExecutor\n"
            "running = ThreadPoolExecutor(1).submit(context.tools.call, 'slow')\n"
            "import time\ntime.sleep(0.2)\nNone"
        )
        run = talk.step(code)
        self.assertEqual(run.kinds, "HYTR", run.stderr)
        self.assertTrue(self.completed(talk.step("running.done() or running.result() is None")))

    def test_a_wrong_answer_is_a_fault(self) -> None:
        for answer in (
            b"{}",
            b'{"id": 2, "result": 1, "error": ""}',
            b'{"id": 1, "result": 1, "error": null}',
            b'{"id": 1, "result": NaN, "error": ""}',
            b"x",
        ):
            with self.subTest(answer):
                talk = self.host.converse(tools=TOOLS, inputs="context")
                talk.send("C", b"try: context.tools.call('double')\nexcept BaseException: print('caught')")
                talk.send("A", answer)
                stream, raw_stderr, code = talk.end()
                self.assertEqual((code, b"caught" in stream), (70, False))
                self.assertIn(b"protocol fault: an answer ", raw_stderr)

    def test_without_tools_a_call_is_refused_here(self) -> None:
        run = self.host.run("context.tools.call('double', {'n': 1})", inputs="context", call_bytes=0)
        self.assertEqual((run.kinds, run.error), ("HYR", "ToolError: this run has no tools"))

    def test_leads_to_nothing_of_the_guards(self) -> None:
        for path in ("_call", "_toolbox", "call.__self__", "call.__closure__", "_channel"):
            run = self.host.run(f"context.tools.{path}", inputs="context")
            self.assertIn(run.outcome, ("rejected", "raised"))
        run = self.host.run(
            "def names(self): return [n for n in dir(self) if not n.startswith('__')]\nnames(context.tools) + names(context)",
            inputs="context",
        )
        found = self.completed(run)
        self.assertEqual(found, ["ToolError", "call", "call_mcp", "names", "config", "inputs", "log", "steps", "tools", "workflow"])
