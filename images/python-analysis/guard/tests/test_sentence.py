"""An answer of a sentence and charts, from whatever a script gives."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host, Run

PLOTLY = "import plotly.graph_objects as go, plotly.express as px\nfig = go.Figure(go.Bar(y=[1, 2]))\n"
PANDAS = "import pandas as pd, numpy as np\n"
PYPLOT = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\n"
SPEC = "{'data': [{'type': 'bar', 'y': [1, 2]}]}"

READ: dict[str, tuple[str, Any, int, str]] = {
    # name: script, output, charts in the result, words of a warning
    "the documented form": (PLOTLY + "result = {'output': 'o', 'chart': fig}", "o", 1, ""),
    "a list of charts": (PLOTLY + "result = {'output': 'o', 'chart': [fig, fig]}", "o", 2, ""),
    "a tuple of charts": (PLOTLY + "result = {'output': 'o', 'charts': (fig, fig)}", "o", 2, ""),
    "charts by name": (PLOTLY + "result = {'output': 'o', 'chart': {'a': fig, 'b': fig}}", "o", 2, ""),
    "a chart of None": ("result = {'output': 'o', 'chart': None}", "o", 0, ""),
    "a figure": (PLOTLY + "result = fig", None, 1, ""),
    "a list of figures": (PLOTLY + "result = [fig, fig]", None, 2, ""),
    "a text and a figure": (PLOTLY + "result = 'o', fig", "o", 1, ""),
    "a figure's own form": (f"result = {SPEC}", None, 1, ""),
    "a figure as JSON": (PLOTLY + "result = {'output': 'o', 'chart': fig.to_json()}", "o", 1, ""),
    "a figure as a dict": (PLOTLY + "result = {'output': 'o', 'chart': fig.to_dict()}", "o", 1, ""),
    "a trace": (PLOTLY + "result = {'output': 'o', 'chart': go.Bar(y=[1])}", "o", 1, ""),
    "a trace as a dict": ("result = {'output': 'o', 'chart': {'type': 'bar', 'y': [1]}}", "o", 1, ""),
    "data that is one trace": ("result = {'output': 'o', 'chart': {'data': {'type': 'bar', 'y': [1]}}}", "o", 1, ""),
    "a figure as the last expression": (PLOTLY + "fig.update_layout(title='t')", None, 1, ""),
    "the form as the last expression": (PLOTLY + "print('p')\n{'output': 'o', 'chart': fig}", "o", 1, ""),
    "a figure under another key": (PLOTLY + "result = {'output': 'o', 'fig': fig}", "o", 1, "was read as result[\"chart\"]"),
    "a spec under another key": (f"result = {{'output': 'o', 'figure': {SPEC}}}", "o", 1, "was read as result[\"chart\"]"),
    "a figure as the output": (PLOTLY + "result = {'output': fig}", None, 1, "was read as result[\"chart\"]"),
    "an output under another key": (PLOTLY + "result = {'answer': 'o', 'chart': fig}", "o", 1, "read as result[\"output\"]"),
    "further keys": (PLOTLY + "result = {'output': 'o', 'chart': fig, 'n': 5}", "o", 1, "keys that are not shown: 'n'"),
    "a text": ("result = 'o'", "o", 0, "of type str and was taken as the output"),
    "a number": ("result = 5", 5, 0, "of type int and was taken as the output"),
    "None": ("print('p')\nresult = None", None, 0, ""),
    "a dict of other keys, and nothing printed": ("result = {'mean': 3}", {"mean": 3}, 0, "keys that are not shown"),
    "a dict of other keys, and something printed": ("print('p')\nresult = {'mean': 3}", None, 0, "keys that are not shown"),
    "a table that has data as a key": (
        "result = {'columns': ['a'], 'data': [[1]]}",
        {"columns": ["a"], "data": [[1]]},
        0,
        "keys that are not shown",
    ),
    "nothing but a last expression": ("6 * 7", 42, 0, ""),
    "a last expression, and something printed": ("print('p')\n6 * 7", None, 0, ""),
    "a last expression without a form": (PYPLOT + "ax.set_title('t')", None, 0, ""),
    "a scalar of numpy's": (PANDAS + "result = {'output': np.float64(3.5)}", 3.5, 0, ""),
    "an output that is NaN": ("result = {'output': float('nan')}", "nan", 0, ""),
    "NaN": (PANDAS + "result = {'output': 'o', 'x': np.nan}", "o", 0, ""),
    "a DataFrame": (PANDAS + "result = {'output': pd.DataFrame({'a': [1]})}", "   a\n0  1", 0, ""),
    "a Series": (PANDAS + "result = {'output': pd.Series([1], name='a')}", "0    1", 0, ""),
    "an output of None": (PLOTLY + "print('p')\nresult = {'output': None, 'chart': fig}", None, 1, ""),
    "an object with a text": ("class A:\n    def __str__(self):\n        return 'o'\nresult = {'output': A()}", "o", 0, ""),
    "an exit after the result": (PLOTLY + "result = {'output': 'o', 'chart': fig}\nexit()", "o", 1, ""),
}

DRAWS_NOTHING: dict[str, tuple[str, str]] = {
    "no data": ("{'layout': {}}", "it has no data"),
    "empty data": ("{'data': []}", "it has no data"),
    "an empty figure": ("go.Figure()", "it has no data"),
    "data of numbers": ("{'data': [1]}", "it has no data"),
    "a layout that is no object": ("{'data': [{'y': [1]}], 'layout': 5}", "its layout is no object"),
    "a text": ("'bar'", "it is no chart"),
    "a page": ("'<html>'", "it is HTML; give the figure itself"),
    "a page of several MiB": ("' <html>' + 'x' * 9_000_000", "it is HTML; give the figure itself"),
    "a text that begins like JSON": ("'{x'", "JSONDecodeError"),
    "an object": ("object()", "it is of type object"),
    "two keys of one text": ("{'data': [{1: 1, '1': 2}]}", "ResultKeyError"),
    "too much": ("go.Figure(go.Bar(y=list(range(500000))))", "bytes are left of what result and charts may take together"),
    "a text of its own that fails": ("Bad()", "RuntimeError: no"),
}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_one(self, code: str, **changes: Any) -> Run:
        run = self.host.run(code, **{"answer": "chart", **changes})
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.stderr)
        return run


def charts_of(run: Run) -> list[Any]:
    found = (run.report["result"] or {}).get("chart", [])
    return found if isinstance(found, list) else [found]


class Reads(Case):
    def test_what_scripts_give(self) -> None:
        for name, (code, output, charts, words) in READ.items():
            with self.subTest(name):
                run = self.run_one(code)
                self.assertEqual((run.report["result"] or {}).get("output"), output)
                self.assertEqual(len(charts_of(run)), charts)
                said = " | ".join(run.report["warnings"])
                self.assertIn(words, said)
                self.assertEqual(bool(said), bool(words) or name == "NaN")

    def test_further_keys_stay_in_the_result(self) -> None:
        run = self.run_one("result = {'output': 'o', 'n': 5, 'chart': None}")
        self.assertEqual(run.report["result"], {"n": 5, "output": "o"})

    def test_what_was_shown_counts_without_a_result(self) -> None:
        run = self.run_one(PLOTLY + "fig.show()\ngo.Figure(go.Bar(y=[3])).show()\nprint('p')")
        self.assertEqual(len(charts_of(run)), 2)
        run = self.run_one(PLOTLY + "result = {'output': 'o'}")
        self.assertEqual((charts_of(run), run.report["charts"]), ([], []))

    def test_pictures(self) -> None:
        for code in ("result = {'output': 'o', 'chart': fig}", "result = fig", "result = {'chart': ax}", "plt.close()\nresult = [fig]"):
            with self.subTest(code):
                run = self.run_one(PYPLOT + code)
                self.assertEqual([(chart["kind"], chart["path"]) for chart in run.report["charts"]], [("matplotlib", run.paths[0])])
                self.assertEqual((charts_of(run), run.report["warnings"]), ([], []) if "output" in code else (charts_of(run), []))
                (self.host.output / run.paths[0]).unlink()


class CostsTheChart(Case):
    def test_what_draws_nothing(self) -> None:
        bad = PLOTLY + "class Bad:\n    def __repr__(self):\n        raise RuntimeError('no')\n"
        for name, (chart, words) in DRAWS_NOTHING.items():
            with self.subTest(name):
                run = self.run_one(f"{bad}result = {{'output': 'o', 'chart': [fig, {chart}]}}")
                self.assertEqual(run.report["result"]["output"], "o")
                self.assertEqual(len(charts_of(run)), 1)
                self.assertEqual(len(run.report["warnings"]), 1)
                self.assertIn("chart 2 was left out: ", run.report["warnings"][0])
                self.assertIn(words, run.report["warnings"][0])

    def test_more_than_the_policy_allows(self) -> None:
        run = self.run_one(PLOTLY + "result = {'output': 'o', 'chart': [fig] * 4}", max_figures=3)
        self.assertEqual((len(charts_of(run)), len(run.report["warnings"])), (3, 1))
        run = self.run_one(PYPLOT + "plt.figure(); plt.figure()\nresult = {'output': 'o'}", max_figures=2)
        self.assertEqual((len(run.report["charts"]), len(run.report["warnings"])), (2, 1))

    def test_many_warnings_are_bounded(self) -> None:
        run = self.run_one("result = {'output': 'o', 'chart': ['x' * 9] * 50, 'y' * 5000: 1}")
        self.assertEqual(len(run.report["warnings"]), 20)
        self.assertTrue(all(len(words) <= 500 for words in run.report["warnings"]))


class Cuts(Case):
    def test_a_long_output(self) -> None:
        for code, size in (("'ä' * 5000", 10_000), ("list(range(3000))", 16_890)):
            with self.subTest(code):
                run = self.run_one(f"result = {{'output': {code}}}", stdout_bytes=1000)
                output = run.report["result"]["output"]
                self.assertLessEqual(len(output.encode()), 1000)
                cut = size - len(output.partition("\n[cut")[0].encode())
                self.assertIn(f"[cut: {cut} of {size} bytes; the policy keeps 1000]", output)
                self.assertIn(f"it has {size} bytes, and the policy keeps 1000", run.report["warnings"][0])

    def test_an_output_larger_than_a_report(self) -> None:
        run = self.run_one("result = {'output': 'x' * 3_000_000}", stdout_bytes=1000)
        self.assertIn("of 3000000 bytes", run.report["result"]["output"])
        run = self.run_one("import numpy as np\nresult = {'output': np.zeros(5_000_000)}")
        self.assertIn("...", run.report["result"]["output"])


class Sessions(Case):
    def test_a_figure_of_an_earlier_answer_does_not_come_again(self) -> None:
        talk = self.host.converse(mode="session", answer="chart", imports=["plotly.graph_objects"])
        figures = "import plotly.graph_objects as go\nf = go.Figure(go.Bar(y=[1]))\ng = go.Figure(go.Bar(y=[2]))\n"
        charts = [
            [each["data"][0]["y"] for each in _listed((talk.step(code).report["result"] or {}).get("chart", []))]
            for code in (
                figures + "h = [go.Figure(go.Bar(y=[3]))]\nresult = {'output': 'x', 'chart': [f, *h]}",
                "i = h[0]\nprint('nothing new')",
                "f.show()",
                "result = {'output': 'again', 'chart': f}",
                "f",
                "j = go.Figure(go.Bar(y=[4]))",
            )
        ]
        self.assertEqual(charts, [[[1], [3]], [], [[1]], [[1]], [[1]], [[4]]])
        talk.end()


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
