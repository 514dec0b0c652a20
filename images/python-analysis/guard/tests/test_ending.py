"""How a script ends: by its last statement, by final_answer(), by an exit."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host

LAST: dict[str, tuple[str, Any]] = {
    "an expression": ("x = 5\nx + 1", 6),
    "an assignment": ("x = 5", 5),
    "an assignment to several": ("a, b = 1, 2", [1, 2]),
    "an assignment to an item": ("d = {}\nd['a'] = 3", 3),
    "an assignment to an attribute": ("class A:\n    pass\na = A()\na.b = 4", 4),
    "an annotated one": ("x: int = 5", 5),
    "an annotation alone": ("x: int", None),
    "an augmented one": ("x = 5\nx += 2", 7),
    "a variable called result": ("result = 1\n2", 2),
    "a variable called result, last": ("1\nresult = 3", 3),
    "a branch": ("x = 1\nif x > 2:\n    y = 'a'\nelse:\n    y = 'b'", "b"),
    "a loop": ("for i in range(3):\n    x = i * 2", 4),
    "a while": ("x = 0\nwhile x < 3:\n    x += 1", 3),
    "an expression in a loop": ("for i in range(3):\n    i", 2),
    "a with": ("import contextlib\nwith contextlib.suppress(ValueError):\n    x = 8", 8),
    "a try that fails": ("try:\n    x = 1 / 0\nexcept ZeroDivisionError:\n    x = 'caught'", "caught"),
    "a match": ("match 3:\n    case 3:\n        x = 'three'", "three"),
    "a function": ("def f():\n    return 1", None),
    "an import": ("import math", None),
    "nothing": ("", None),
    "an exit": ("x = 5\nexit()", None),
}

FINAL: dict[str, tuple[str, Any]] = {
    "at the top": ("final_answer(42)\n1 / 0", 42),
    "by name": ("final_answer(answer=[1])", [1]),
    "in a function and a loop": ("def f():\n    for i in range(9):\n        if i == 3:\n            final_answer(i)\nf()\n0", 3),
    "past except Exception": ("try:\n    final_answer('a')\nexcept Exception:\n    final_answer('b')", "a"),
    "past a result": ("result = 1\nfinal_answer(2)", 2),
    "through finally": ("try:\n    final_answer(1)\nfinally:\n    x = 2", 1),
    "without a value": ("5\nfinal_answer()", None),
    "with an object that has no form": ("final_answer(object)", {"type": "type", "text": "<class 'object'>"}),
    # What catches everything loses its own answer, and nothing else.
    "caught by except BaseException": ("try:\n    final_answer(1)\nexcept BaseException:\n    pass\n2", 2),
    "replaced in finally": ("def f():\n    try:\n        final_answer(1)\n    finally:\n        return 2\nf()", 2),
}

EXITS: dict[str, tuple[str, str]] = {
    "exit()": ("exit()", ""),
    "quit(0)": ("quit(0)", ""),
    "raise SystemExit": ("raise SystemExit", ""),
    "raise SystemExit(None)": ("raise SystemExit(None)", ""),
    "exit(False)": ("exit(False)", ""),
    "exit(3)": ("exit(3)", "SystemExit: 3"),
    "raise SystemExit(1)": ("raise SystemExit(1)", "SystemExit: 1"),
    "a text": ("exit('no data')", "SystemExit: no data"),
    "an empty text": ("exit('')", "SystemExit: "),
    "a float": ("exit(0.0)", "SystemExit: 0.0"),
    "an object equal to all": ("class A:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\nexit(A())", "SystemExit: <"),
}

_UNLIKE_TEXT = """
class S(str):
    def __len__(self): return 1 << 40
    def __getitem__(self, place): return N()
    def __str__(self): raise ValueError('no text')
class N:
    def __add__(self, other): return self
class A(list):
    def __iter__(self): raise ValueError('no items')
    def __repr__(self): return S('x')
"""


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def ends(self, table: dict[str, tuple[str, Any]], **changes: Any) -> None:
        for name, (code, value) in table.items():
            with self.subTest(name):
                run = self.host.run(code, **changes)
                self.assertEqual((run.outcome, run.error), ("completed", ""), run.stderr)
                self.assertEqual(run.report["result"], value)


class Ends(Case):
    def test_the_last_statement(self) -> None:
        self.ends(LAST, answer="last")

    def test_the_last_statement_of_what_awaits_or_returns(self) -> None:
        awaits = "async def f(): return 5\n"
        self.ends(
            {
                "an assignment": (f"{awaits}x = await f()", 5),
                "and not what comes before": (f"{awaits}x = await f()\ndef g(): pass", None),
                "in a branch": (f"{awaits}if 1:\n    x = 1 + await f()", 6),
                "in place": ("if 0: return 1\nx = 1\nx += 1", 2),
                "a loop that returns": ("for x in range(3):\n    if x == 1: return None\n    y = x", None),
                "a loop that does not": ("for x in range(3):\n    if x == 7: return None\n    y = x", 2),
                "an expression": (f"{awaits}x = 1\nawait f()", 5),
            },
            answer="last",
        )

    def test_a_last_value_that_does_not_fit_is_its_type_and_the_beginning_of_its_text(self) -> None:
        numbers = "[" + ", ".join(map(str, range(100))) + ", ...]"
        for code, kind, text in (
            ("x = list(range(900_000))", "list", numbers),
            ("'x' * 2_000_000", "str", "'" + "x" * 497 + "..."),
            ("x = [1]\nx.append(x)\nx", "list", "[1, [1, [1, [1, [1, [1, [1, [1, [...]]]]]]]]]"),
            ("{1: 0, '1': 0}", "dict", "{1: 0, '1': 0}"),
            ("import numpy\nx = numpy.zeros((400, 4000))", "ndarray", "array([[0., 0., 0., ..., 0., 0., 0.],\n"),
            ("class A:\n    def __repr__(self): raise ValueError('in repr')\nA()", "A", "<A instance at 0x"),
            ("class A:\n    def __repr__(self): raise KeyboardInterrupt\nA()", "A", "<an object whose repr raised KeyboardInterrupt>"),
            (f"{_UNLIKE_TEXT}A()", "A", "<an object whose repr raised TypeError>"),
            (f"{_UNLIKE_TEXT}type(S('B'), (A,), {{}})()", "B", "<an object whose repr raised TypeError>"),
        ):
            with self.subTest(code):
                run = self.host.run(code, answer="last", imports=["numpy"])
                self.assertEqual((run.outcome, len(run.report["warnings"])), ("completed", 1), run.error)
                self.assertEqual(run.report["result"].keys(), {"type", "text"})
                self.assertEqual(run.report["result"]["type"], kind)
                self.assertTrue(run.report["result"]["text"].startswith(text), run.report["result"]["text"])
        run = self.host.run("final_answer('x' * 2_000_000)", answer="last", inputs="names")
        self.assertEqual((run.outcome, run.report["limit"]), ("raised", "report"))

    def test_a_last_value_for_which_json_has_only_null_is_its_text(self) -> None:
        values = {"float('nan')": "nan", "x = -float('inf')": "-inf", "[float('nan')]": [None], "None": None, "x = None": None}
        self.ends({code: (code, value) for code, value in values.items()}, answer="last")
        self.ends({"final_answer": ("final_answer(float('inf'))", "inf")}, answer="last", inputs="names")
        self.ends({"elsewhere": ("float('nan')", None)})

    def test_elsewhere_an_assignment_is_no_answer(self) -> None:
        self.ends({"an assignment": ("x = 5", None), "result": ("result = 1\n2", 1)})

    def test_the_last_statement_of_each_step(self) -> None:
        talk = self.host.converse(mode="session", answer="last")
        values = [talk.step(code).report["result"] for code in ("x = 5", "def f(): pass", "x += 1", "x")]
        self.assertEqual(values, [5, None, 6, 6])
        talk.end()

    def test_final_answer(self) -> None:
        self.ends(FINAL, answer="last", inputs="names")
        self.ends({"an object": ("class A:\n    def __repr__(self): return 'A()'\nA()", {"type": "A", "text": "A()"})}, answer="last")
        self.ends(FINAL | {"without result": ("final_answer(7)", 7)}, answer="result", inputs="names")

    def test_final_answer_in_a_session_ends_the_step(self) -> None:
        talk = self.host.converse(mode="session", answer="last", inputs="names")
        values = [talk.step(code).report["result"] for code in ("x = 1\nfinal_answer(2)\nx = 3", "x")]
        self.assertEqual(values, [2, 1])
        talk.end()

    def test_final_answer_is_there_by_its_policy_only(self) -> None:
        self.assertIn("NameError", self.host.run("final_answer(1)").error)

    def test_exits(self) -> None:
        for name, (code, error) in EXITS.items():
            for form in ("result", "last", "chart", "stdout"):
                with self.subTest(name, form=form):
                    run = self.host.run(f"print('p')\n{code}\nprint('q')", answer=form)
                    self.assertEqual((run.outcome, run.stdout), ("raised" if error else "completed", "p\n"))
                    self.assertTrue(run.error.startswith(error) and bool(run.error) == bool(error), run.error)

    def test_an_exit_keeps_what_was_answered_before(self) -> None:
        self.ends({"a result": ("result = 5\nexit()", 5), "in a function": ("result = 6\ndef f():\n    exit(0)\nf()", 6)})

    def test_an_exit_ends_the_step_and_not_the_session(self) -> None:
        talk = self.host.converse(mode="session")
        first, second, third = (talk.step(code) for code in ("x = 1\nexit()", "exit(4)", "x"))
        self.assertEqual((first.outcome, second.error, third.report["result"]), ("completed", "SystemExit: 4", 1))
        talk.end()


class Names(Case):
    def test_a_step_leaves_nothing_to_be_called_at_a_later_ones_end(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        talk = host.converse(mode="session", imports=["atexit"])
        talk.step("import atexit\ndef bad():\n    raise KeyboardInterrupt\natexit.register(print, 'left')\natexit.register(bad)")
        self.assertEqual(("next\n", "completed"), ((run := talk.step("print('next')")).stdout, run.outcome))
        talk.end()

    def test_inputs_are_variables(self) -> None:
        given = {"x": 2, "items": [1, {"a": None}], "text": "ä", "table": {"columns": ["a"], "rows": [[1], [2]]}}
        run = self.host.run("[x, items[1]['a'], text, type(table).__name__]", given, inputs="names", answer="last", imports=["math"])
        self.assertEqual((run.report["result"], run.error), ([2, None, "ä", "dict"], ""))

    def test_tables_are_frames_where_the_policy_has_pandas(self) -> None:
        tables = {
            "plain": {"columns": ["a", "b"], "rows": [[1, "x"], [2, "y"]]},
            "indexed": {"columns": ["a"], "rows": [[1], [2]], "index": ["p", "q"], "index_names": ["n"]},
            "deep": {"columns": ["a"], "rows": [[1], [2]], "index": [["p", 1], ["q", 2]], "index_names": ["n", "m"]},
            "empty": {"columns": ["a"], "rows": []},
            "torn": {"columns": ["a"], "rows": [[1, 2]]},
            "more": {"columns": ["a"], "rows": [[1]], "note": 1},
        }
        code = "[int(plain['a'].sum()), int(indexed.loc['q', 'a']), int(deep.loc[('q', 2), 'a']), list(empty), type(torn).__name__, type(more).__name__]"
        run = self.host.run(code, tables, inputs="names", answer="last")
        self.assertEqual((run.report["result"], run.error), ([3, 2, 2, ["a"], "dict", "dict"], ""))
        again = self.host.run("deep", tables, inputs="names", answer="last").report["result"]
        self.assertEqual(again, tables["deep"], "what comes out can go in")

    def test_names_that_cannot_be_variables_are_a_fault(self) -> None:
        for given in ({"print": 1}, {"_x": 1}, {"a-b": 1}, {"class": 1}, {"final_answer": 1}, {"sqrt": 1}):
            changes = {"inputs": "names", "preloaded": [{"name": "sqrt", "module": "math:sqrt"}]}
            run = self.host.run("1", given, **changes)
            self.assertEqual((run.kinds, run.code), ("H", 70), given)

    def test_functions_are_preloaded(self) -> None:
        preloaded = [{"name": "sqrt", "module": "math:sqrt"}, {"name": "stats", "module": "statistics"}]
        run = self.host.run("[sqrt(16), stats.mean([1, 3])]", preloaded=preloaded, answer="last")
        self.assertEqual((run.report["result"], run.error), ([4.0, 2], ""))
        for module in ("math:_x", "math:", "subprocess:run", "math:a.b", "math:nothing", "statistics:sys"):
            run = self.host.run("1", preloaded=[{"name": "f", "module": module}])
            self.assertNotEqual(run.outcome, "completed", module)


class Tools(Case):
    def call(self, code: str, **changes: Any) -> tuple[Any, list[Any]]:
        tools = {"add": lambda params: params["a"] + params["b"], "fail": lambda params: {}["nothing"]}
        changes = {"tool_parameters": {"add": ["a", "b"]}, "inputs": "names", "answer": "last", **changes}
        talk = self.host.converse(tools=tools, **changes)
        run = talk.step(code)
        talk.end()
        return run.report["result"] if run.outcome == "completed" else run.error, talk.calls

    def test_a_tool_is_a_function(self) -> None:
        for code in ("add(1, 2)", "add(1, b=2)", "add(b=2, a=1)"):
            result, calls = self.call(code)
            self.assertEqual((result, calls[0]["params"]), (3, {"a": 1, "b": 2}), code)
        result, calls = self.call("add({'a': 1, 'b': 2})", tool_parameters={})
        self.assertEqual(result, 3)

    def test_wrong_calls_say_how_to_call(self) -> None:
        for code, words in (
            ("add(1, 2, 3)", "TypeError: add() takes at most 2 by place: a, b; write add(NAME=value)"),
            ("fail(1, 2)", "TypeError: fail() takes its parameters by name; write fail(NAME=value)"),
            ("fail(1)", "TypeError: fail() takes its parameters by name; write fail(NAME=value)"),
            ("add(1, a=2)", "TypeError: add() got 'a' by place and by name"),
        ):
            result, calls = self.call(code)
            self.assertEqual((result, calls), (words, []))

    def test_an_error_has_its_name(self) -> None:
        self.assertEqual(self.call("try:\n    fail()\nexcept ToolError:\n    x = 'caught'")[0], "caught")

    def test_names_of_tools_and_inputs_differ(self) -> None:
        for changes in ({"tools": ["print"]}, {"tools": ["add"], "preloaded": [{"name": "add", "module": "math"}]}):
            run = self.host.run("1", inputs="names", tool_parameters={}, **changes)
            self.assertEqual(run.code, 70)
        self.assertEqual(self.host.run("1", {"add": 1}, inputs="names", tools=["add"]).code, 70)
        self.assertEqual(self.host.run("1", inputs="names", tools=["add"], tool_parameters={"sub": []}).code, 70)
