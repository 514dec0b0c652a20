"""Whole runs: a guard process, a host that speaks the protocol, ordinary scripts."""

from __future__ import annotations

import json
import os
import struct
import time
import unittest
from pathlib import Path
from typing import Any

from tests import preparing
from tests.host import Host, frame, start_frame

CSV = {"name": "visits", "path": ".tables/visits.table"}
PEOPLE = {"name": "people", "path": ".tables/people.table"}
PNG = b"\x89PNG\r\n\x1a\n"


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("g,x,y\na,1,2.5\nb,2,\na,3,4.5\nb,4,5\n")
        preparing.of_csv(self.host.bundle, "visits.csv")
        (self.host.bundle / "sub").mkdir()
        (self.host.bundle / "sub" / "people.jsonl").write_text('{"id": 1, "n": "ä"}\n{"id": 2, "n": null}\n')
        preparing.write(self.host.bundle, "people", {"id": [1, 2], "n": ["ä", None]})

    def completed(self, code: str, **changes: Any) -> Any:
        run = self.host.run(code, **changes)
        self.assertEqual((run.outcome, run.error, run.code, run.raw_stderr), ("completed", "", 0, b""), run.stderr)
        return run

    def raised(self, code: str, **changes: Any) -> Any:
        run = self.host.run(code, **changes)
        self.assertEqual((run.outcome, run.code, run.raw_stderr), ("raised", 0, b""))
        self.assertEqual((run.report["result"], run.report["charts"]), (None, []))
        return run


class Outcomes(Case):
    def test_completed(self) -> None:
        run = self.completed("print('hello')\n40 + 2")
        self.assertEqual((run.kinds, run.stdout, run.report["result"]), ("HYOR", "hello\n", 42))
        self.assertEqual(sorted(run.report), sorted("outcome error limit violations result charts warnings files truncated".split()))

    def test_an_empty_script(self) -> None:
        self.assertIsNone(self.completed("").report["result"])

    def test_rejected_before_ready_and_nothing_ran(self) -> None:
        run = self.host.run("open(OUTPUT / 'x', 'w')\nimport os\neval('1')")
        self.assertEqual((run.kinds, run.outcome, run.code), ("HR", "rejected", 0))
        self.assertEqual(run.rules, ["import.denied", "builtin.denied"])
        self.assertEqual(run.report["violations"][0]["column"], 8)
        self.assertEqual(list(self.host.output.iterdir()), [])

    def test_result_stands_before_the_last_expression(self) -> None:
        self.assertEqual(self.completed("result = {'a': (1, float('nan'))}\n5").report["result"], {"a": [1, None]})
        self.assertIsNone(self.completed("result = None\n5").report["result"])

    def test_a_last_expression_without_a_json_form_is_no_result(self) -> None:
        self.assertIsNone(self.completed("[1, object()]").report["result"])
        self.assertEqual(self.completed("result = [1, object]").report["result"][1]["type"], "type")

    def test_tells_the_scripts_frames_only(self) -> None:
        run = self.raised("import json\ndef f(x):\n    return json.loads(x)\n\nf('{')")
        error = run.report["error"]
        self.assertEqual((error["type"], error["line"], error["errno"]), ("JSONDecodeError", 3, 0))
        self.assertEqual(
            error["traceback"],
            "Traceback (most recent call last):\n"
            '  File "script.py", line 5, in <module>\n    f(\'{\')\n'
            '  File "script.py", line 3, in f\n    return json.loads(x)\n'
            f"JSONDecodeError: {error['message']}",
        )

    def test_tells_what_came_before(self) -> None:
        code = "try:\n    {}['k']\nexcept KeyError as e:\n    raise RuntimeError('outer')"
        before = 'Traceback (most recent call last):\n  File "script.py", line 2, in <module>\n    {}[\'k\']\nKeyError: \'k\'\n\n'
        own = 'Traceback (most recent call last):\n  File "script.py", line 4, in <module>\n    raise RuntimeError(\'outer\')%s\nRuntimeError: outer'
        for more, between in (
            ("", "During handling of the above exception, another exception occurred:\n\n"),
            (" from e", "The above exception was the direct cause of the following exception:\n\n"),
        ):
            self.assertEqual(self.raised(code + more).report["error"]["traceback"], before + between + own % more)
        self.assertEqual(self.raised(code + " from None").report["error"]["traceback"], own % " from None")
        loop = "a, b = ValueError('a'), ValueError('b')\ntry: raise b from a\nexcept ValueError: pass\nraise a from b"
        self.assertEqual(self.raised(loop).report["error"]["traceback"].count("direct cause"), 1)

    def test_exceptions_of_every_kind(self) -> None:
        for code, kind, message in (
            ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
            ("def f(): f()\nf()", "RecursionError", "maximum recursion depth exceeded"),
            (
                "x = bytes(1 << 62)",
                "MemoryError",
                "the run has 512 MiB of memory and the code asked for more; work in parts, keep fewer columns, or use smaller types",
            ),
            ("raise SystemExit(3)", "SystemExit", "3"),
            ("raise SystemExit('no data')", "SystemExit", "no data"),
            ("class E(BaseException): pass\nraise E('own')", "E", "own"),
            (
                "class E(Exception):\n    def __str__(self): raise E\nraise E",
                "E",
                "the exception's own text raised an exception",
            ),
            ("class M(type):\n    __name__ = property(lambda c: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E(1)", "E", "1"),
            ("class S(str):\n    def __str__(self): raise ValueError\nraise type(S('E'), (Exception,), {})(1)", "E", "1"),
            ("class E(OSError):\n    @property\n    def errno(self): raise ValueError\nraise E('x')", "E", "x"),
            ("class S(str):\n    def __contains__(self, t): raise ValueError\ne = ImportError('x')\ne.msg = S('y')\nraise e", "ImportError", "x"),
            ("raise ExceptionGroup('g', [ValueError(1)])", "ExceptionGroup", "g (1 sub-exception); ValueError: 1"),
            ("raise ValueError('\\ud800')", "ValueError", "?"),
            ("class A:\n    def __repr__(self): raise ValueError('in repr')\nresult = A()", "ValueError", "in repr"),
            ("open('nothing')", "FileNotFoundError", "[Errno 2] No such file or directory: 'nothing'; DATA has 'sub/people.jsonl', 'visits.csv'"),
        ):
            with self.subTest(code):
                error = self.raised(code).report["error"]
                self.assertEqual((error["type"], error["message"]), (kind, message))

    def test_gives_the_errno_of_an_oserror(self) -> None:
        self.assertEqual(self.raised("raise OSError(28, 'full')").report["error"]["errno"], 28)
        self.assertEqual(self.raised("e = OSError()\ne.errno = 'x'\nraise e").report["error"]["errno"], 0)

    def test_caps_message_and_traceback(self) -> None:
        error = self.raised("def f(n):\n    if n: f(n - 1)\n    raise ValueError('ä' * 9000)\nf(100)").report["error"]
        self.assertEqual(len(error["message"].encode()), 4096)
        self.assertIn("... 82 more frames ...", error["traceback"])

    def test_an_orderly_exit_is_no_error(self) -> None:
        for code in ("raise SystemExit", "raise SystemExit(0)", "raise SystemExit(None)"):
            self.assertEqual(self.completed("result = 1\n" + code).report["result"], 1)

    def test_a_result_that_is_too_large(self) -> None:
        for before, value, kind in (
            ("", "'x' * 2_000_000", "ResultTooLargeError"),
            ("", "list(range(900_000))", "ResultTooLargeError"),
            ("", "'\\u4e00' * 200_000", "ResultTooLargeError"),
            ("x = []\nx.append(x)", "x", "ResultTooLargeError"),
            ("", "{1: 0, '1': 0}", "ResultKeyError"),
            ("class A:\n    def __repr__(self): raise ValueError('in repr')", "A()", "ValueError"),
            ("class A:\n    def __repr__(self): raise SystemExit(4)", "[A()]", "SystemExit"),
        ):
            with self.subTest(value):
                run = self.raised(f"{before}\nresult = {value}")
                self.assertEqual((run.report["limit"], run.report["error"]["type"]), ("report" if "Large" in kind else "", kind))
                run = self.completed(f"{before}\n{value}")  # it was not said to be the answer
                self.assertEqual((run.report["result"], len(run.report["warnings"])), (None, 1))
                self.assertIn("the value of the last expression was left out: ", run.report["warnings"][0])

    def test_an_exception_that_is_called_like_the_guards_is_no_limit(self) -> None:
        run = self.raised("class ResultTooLargeError(Exception): pass\nraise ResultTooLargeError")
        self.assertEqual(run.report["limit"], "")

    def test_a_file_list_that_is_too_large(self) -> None:
        for left in ("for n in range(40): open(f'{n}' * 50, 'w').close()", "for n in range(60): open(f'{n:a>2}', 'w').close()"):
            for last in ("'x' * 500", "result = 'x' * 5900", ""):
                with self.subTest(f"{left}; {last}"):
                    run = self.raised(f"{left}\n{last}", report_bytes=6000)
                    self.assertEqual((run.report["limit"], run.report["error"]["type"], run.paths), ("files", "TooManyFilesError", []))
                    self.assertIn("the limit", run.error)

    def test_a_script_that_fails_beside_too_many_files_has_failed(self) -> None:
        for count in (40, 4000):
            run = self.raised(f"for n in range({count}): open(f'{{n}}', 'w').close()\n1 / 0", report_bytes=6000)
            self.assertEqual((run.report["limit"], run.report["error"]["type"]), ("", "ZeroDivisionError"))

    def test_a_budget_that_is_used_up_beside_too_many_files_is_told(self) -> None:
        run = self.host.run("for n in range(100): open(f'{n}', 'w').close()", report_bytes=6000, loop_iterations=60)
        self.assertEqual((run.outcome, run.report["limit"], run.paths), ("limit", "loop_iterations", []))

    def test_a_report_that_is_too_large_by_what_was_wrong(self) -> None:
        run = self.raised("raise ValueError('a' * 4000)", report_bytes=1000)
        self.assertEqual(run.error, "ValueError: " + "a" * 256)
        run = self.host.run("eval('1')\n" * 90, report_bytes=1000)
        self.assertEqual((run.outcome, len(run.rules)), ("rejected", 1))


class Lifetime(Case):
    def test_nothing_runs_after_the_report(self) -> None:
        run = self.completed(
            "from concurrent.futures import ThreadPoolExecutor\nimport time, warnings\n"
            "def spin():\n    while True:\n        print('x')\n"
            "pool = ThreadPoolExecutor(2)\npool.submit(spin)\npool.submit(spin)\ntime.sleep(0.05)\n7",
            stdout_bytes=1000,
        )
        self.assertEqual((run.report["result"], run.kinds[-1]), (7, "R"))
        self.assertEqual((len(run.stdout), run.report["truncated"]["stdout"]), (1000, True))

    def test_output_arrives_as_it_is_written(self) -> None:
        guard = self.host.spawn()
        assert guard.stdin and guard.stdout
        code = b"import time\nprint('first')\ntime.sleep(60)"
        guard.stdin.write(frame("S", json.dumps(start_frame(self.host.directory)).encode()) + frame("I", b"") + frame("C", code))
        guard.stdin.flush()
        seen = b""
        begun = time.monotonic()
        while b"first" not in seen and time.monotonic() - begun < 30:
            seen += os.read(guard.stdout.fileno(), 4096)
        self.assertIn(b"O" + struct.pack(">I", 6) + b"first\n", seen)
        guard.kill()
        guard.communicate()

    def test_ends_when_the_host_has_gone(self) -> None:
        guard = self.host.spawn()
        assert guard.stdin and guard.stdout and guard.stderr
        code = b"while True:\n    try: print('x')\n    except BaseException: pass"
        start = json.dumps(start_frame(self.host.directory, stdout_bytes=1 << 40)).encode()
        guard.stdin.write(frame("S", start) + frame("I", b"") + frame("C", code))
        guard.stdin.close()
        guard.stdout.close()
        self.assertEqual(guard.wait(timeout=30), 70)
        guard.stderr.close()


class Streams(Case):
    def test_stdout_and_stderr_are_apart(self) -> None:
        run = self.completed("import warnings\nprint('out')\nwarnings.warn('careful')")
        self.assertEqual(run.stdout, "out\n")
        self.assertIn("UserWarning: careful", run.stderr)

    def test_caps_each(self) -> None:
        run = self.completed("import warnings\nprint('ä' * 10, end='')\nwarnings.warn('x' * 100)", stdout_bytes=5, stderr_bytes=9)
        self.assertEqual((run.stdout, len(run.stderr)), ("ää", 9))
        self.assertEqual(run.report["truncated"], {"stdout": True, "stderr": True})

    def test_unicode_and_flushing(self) -> None:
        run = self.completed("print('ä€😀', '\\ud800', end='', flush=True)\nprint(1, 2, sep='|', file=None)")
        self.assertEqual(run.stdout, "ä€😀 ?1|2\n")

    def test_a_warning_is_shown_once_with_its_line(self) -> None:
        run = self.completed("import warnings\ndef f():\n    warnings.warn('careful')  # here\nfor i in range(3): f()")
        self.assertEqual(run.stderr, "script.py:3: UserWarning: careful\n  warnings.warn('careful')  # here\n")

    def test_logging_goes_to_stderr(self) -> None:
        code = "import logging\nlogging.warning('first')\nlogging.getLogger('x').error('second')\nNone"
        run = self.completed(code, imports=["logging"])
        self.assertEqual((run.stdout, run.stderr), ("", "WARNING:root:first\nERROR:x:second\n"))

    def test_nobody_is_there_to_ask(self) -> None:
        run = self.raised("input('name? ')")
        self.assertEqual(run.report["error"]["type"], "EOFError")
        self.assertIn("there is nobody to ask", run.report["error"]["message"])


class Data(Case):
    def test_tables_are_frames_by_name(self) -> None:
        run = self.completed(
            "result = [visits.groupby('g').x.sum().to_dict(), people.n.tolist(), __name__]", tables=[CSV, PEOPLE]
        )
        self.assertEqual(run.report["result"], [{"a": 4, "b": 6}, ["ä", None], "__main__"])

    def test_a_table_that_cannot_be_loaded(self) -> None:
        (self.host.bundle / ".tables" / "bad.table").write_bytes(b"a,b\n\xff\xfe,secret\n" * 10)
        for table, words in (
            (CSV | {"path": "nothing.table"}, "'visits' (nothing.table) cannot be loaded: [Errno 2]"),
            (CSV | {"path": ".tables/bad.table"}, "cannot be loaded: it is no prepared table"),
            (CSV | {"path": "visits.csv"}, "cannot be loaded: it is no file of a table"),
        ):
            with self.subTest(table):
                run = self.host.run("1", tables=[table])
                self.assertEqual((run.kinds, run.outcome, run.code), ("HR", "guard_failed", 0))
                self.assertEqual(run.report["error"]["type"], "TableFault")
                self.assertIn(words, run.report["error"]["message"])

    def test_paths_work_everywhere(self) -> None:
        run = self.completed(
            "import pandas as pd, json\n"
            "a = pd.read_csv(DATA / 'visits.csv')\nb = pd.read_csv(str(DATA) + '/visits.csv')\n"
            "c = open(DATA / 'visits.csv').readline()\nd = (DATA / 'visits.csv').read_text()[:5]\n"
            "e = sorted(p.name for p in DATA.glob('*.csv'))\n"
            "a.to_csv(OUTPUT / 'a.csv')\n(OUTPUT / 'sub').mkdir()\njson.dump({}, open(OUTPUT / 'sub' / 'b.json', 'w'))\n"
            "a.to_csv('relative.csv')\n"
            "with open(OUTPUT / 'c.txt', 'w') as f: print('x', file=f)\n"
            "(OUTPUT / 'gone').write_text('x')\n(OUTPUT / 'gone').unlink()\n"
            "result = [len(a), len(b), c, d, e]"
        )
        self.assertEqual(run.report["result"], [4, 4, "g,x,y\n", "g,x,y", ["visits.csv"]])
        self.assertEqual(run.paths, ["a.csv", "c.txt", "relative.csv", "sub/b.json"])
        self.assertEqual({file["role"] for file in run.report["files"]}, {"file"})

    def test_without_a_bundle_there_is_no_data(self) -> None:
        run = self.raised("DATA", bundle_dir="")
        self.assertEqual(run.report["error"]["type"], "NameError")


class Language(Case):
    """Ordinary Python works as without a guard."""

    def test_classes_and_dataclasses(self) -> None:
        run = self.completed(
            "from dataclasses import dataclass, field, asdict\nimport enum, abc, collections, typing, functools, contextlib\n"
            "@dataclass(order=True)\nclass P:\n    x: int\n    y: list[int] = field(default_factory=list)\n"
            "class C(enum.Enum):\n    A = 1\n"
            "class B(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\n    @property\n    def _p(self): return 1\n"
            "class D(B):\n    def __init__(self, **kw):\n        super().__init__()\n        for k, v in kw.items(): setattr(self, k, v)\n"
            "    def f(self): return self._p + getattr(self, 'n', 0)\n"
            "N = collections.namedtuple('N', 'a b')\n"
            "class T(typing.NamedTuple):\n    a: int\n"
            "@functools.lru_cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
            "@contextlib.contextmanager\ndef m():\n    yield 3\n"
            "with m() as three: pass\n"
            "match P(1, [2]):\n    case P(x=1, y=[z]): pass\n"
            "try:\n    raise ValueError\nexcept ValueError as e: caught = type(e).__name__\n"
            "result = [asdict(P(1)), P(1) < P(2), C.A.name, D(n=4).f(), N(1, 2)._asdict(), T(1), fib(30), three, z, caught,\n"
            "          hasattr(1, '__add__'), getattr(1, 'nothing', None), '{:>4}|{x[0]}'.format(1, x=[2]), f'{1.5:.2f}']"
        )
        self.assertEqual(
            run.report["result"],
            [{"x": 1, "y": []}, True, "A", 5, {"a": 1, "b": 2}, {"a": 1}, 832040, 3, 2, "ValueError", True, None, "   1|2", "1.50"],
        )

    def test_attribute_functions_refuse_what_the_checker_refuses(self) -> None:
        run = self.completed(
            "import json, math\nfound = []\n"
            "for f in (lambda: getattr(f, '__glo' + 'bals__'), lambda: getattr(f, '__glo' + 'bals__', 1),\n"
            "          lambda: getattr(json, '_default' + '_decoder'),\n"
            "          lambda: setattr(f, '__co' + 'de__', 1)):\n"
            "    try: f()\n    except AttributeError as e: found.append(str(e)[:30])\n"
            "try: getattr(f, 1)\nexcept TypeError: found.append('type')\n"
            "class A: pass\na = A()\nsetattr(a, '_x', 1)\nfound.append(getattr(a, '_x'))\ndelattr(a, '_x')\nfound"
        )
        self.assertEqual(len(run.report["result"]), 6)

    def test_imports_that_only_running_shows(self) -> None:
        # pandas.io is a module, and not listed, however it is named.
        run = self.raised("from pandas import io")
        self.assertIn("ImportError: 'io' may not be imported from 'pandas'; ", run.error)
        self.completed("from matplotlib import pyplot\nfrom scipy import stats\nfrom datetime import datetime")

    def test_native_code_may_import_for_itself(self) -> None:
        run = self.completed(
            "import datetime, time\n"
            "[datetime.datetime.strptime('2020-01-02', '%Y-%m-%d').year, time.strptime('2020', '%Y').tm_year]"
        )
        self.assertEqual(run.report["result"], [2020, 2020])

    def test_expressions_in_strings(self) -> None:
        run = self.completed(
            "import numpy as np\nimport statsmodels.formula.api as smf\nlimit = 1\n"
            "a = len(visits.query('x > @limit and g == \"a\"'))\nb = visits.eval('z = x * 2').z.sum()\n"
            "c = smf.ols('y ~ np.log(x) + C(g)', data=visits).fit().params.index.tolist()\n[a, b, c]",
            tables=[CSV],
        )
        self.assertEqual(run.report["result"], [1, 20, ["Intercept", "C(g)[T.b]", "np.log(x)"]])

    def test_says_why_an_expression_is_refused(self) -> None:
        run = self.raised("visits.query('x.__dict__ == 1')", tables=[CSV])
        self.assertEqual(run.report["error"]["type"], "PermissionError")
        self.assertIn("this expression may not be evaluated: the attribute '__dict__' cannot be read here", run.error)

    def test_policies_add_to_the_floor(self) -> None:
        self.assertEqual(self.host.run("dir()", denied_builtins=["dir"]).rules, ["builtin.denied"])
        self.assertEqual(self.host.run("x.to_sql()", denied_attributes=["to_sql"]).rules, ["attribute.denied"])
        run = self.raised("getattr(1, 'to_' + 'sql')", denied_attributes=["to_sql"])
        self.assertIn("to_sql", run.error)


class Figures(Case):
    def test_open_figures_of_matplotlib_are_saved(self) -> None:
        run = self.completed(
            "import matplotlib.pyplot as plt\n"
            "plt.figure()\nplt.plot([1, 2])\nplt.show()\nfig, ax = plt.subplots()\nfig.show()\n"
            "open(OUTPUT / 'own.png', 'w').close()\nplt.figure()\nplt.close()\n(OUTPUT / 'figures').mkdir()\n(OUTPUT / 'figures' / 'figure-01.png').write_text('mine')"
        )
        self.assertEqual(run.stderr, "")
        self.assertEqual(
            run.report["charts"],
            [{"kind": "matplotlib", "path": f"figures/figure-0{n}.png"} for n in (2, 3)],
        )
        roles = {file["path"]: file["role"] for file in run.report["files"]}
        self.assertEqual(
            roles,
            {"figures/figure-01.png": "file", "figures/figure-02.png": "figure", "figures/figure-03.png": "figure", "own.png": "file"},
        )
        self.assertEqual((self.host.output / "figures/figure-02.png").read_bytes()[:8], PNG)

    def test_figures_of_pandas_are_saved(self) -> None:
        run = self.completed("visits.plot.scatter('x', 'y')\nNone", tables=[CSV])
        self.assertEqual(run.paths, ["figures/figure-01.png"])

    def test_figures_of_plotly_become_plain_dicts(self) -> None:
        run = self.completed(
            "import plotly.graph_objects as go, plotly.express as px, numpy as np\n"
            "def shown(): go.Figure(go.Bar(x=np.arange(2), y=[1, float('nan')])).show()\nshown()\n"
            "bound = px.scatter(visits, x='x', y='y')\nagain = bound\nbound.show()\n"
            "result = {'output': 'text', 'chart': go.Figure(layout={'title': 'r'})}",
            tables=[CSV],
        )
        charts = run.report["charts"]
        self.assertEqual([chart["kind"] for chart in charts], ["plotly"] * 3)
        kinds = [[trace["type"] for trace in chart["spec"]["data"]] for chart in charts]
        self.assertEqual(sorted(map(str, kinds)), sorted(map(str, [["bar"], ["scatter"], []])))
        bar = next(chart["spec"] for chart, kind in zip(charts, kinds) if kind == ["bar"])
        self.assertEqual((bar["data"][0]["x"], bar["data"][0]["y"]), ([0, 1], [1, None]))
        self.assertEqual(run.report["result"]["chart"]["layout"]["title"], {"text": "r"})

    def test_charts_of_a_result_become_plain_dicts(self) -> None:
        run = self.completed(
            "import plotly.graph_objects as go, numpy as np, datetime\n"
            "def made(kind): return kind(x=np.array(['2020-01-02'], 'M8[D]'), y=[datetime.date(2020, 1, 3)])\n"
            "result = {'output': 'two', 'chart': [go.Figure(made(go.Bar)), go.Figure(made(go.Scatter))],\n"
            "          'charts': {'data': [made(go.Bar)], 'layout': go.Layout(title='t')}, 'trace': made(go.Bar)}"
        )
        result = run.report["result"]
        kinds = [chart["data"][0]["type"] for chart in (*result["chart"], result["charts"])]
        self.assertEqual((kinds, result["trace"]["type"], len(run.report["charts"])), (["bar", "scatter", "bar"], "bar", 2))
        self.assertEqual(result["chart"][0]["data"][0]["y"], ["2020-01-03"])
        for trace in (result["chart"][0]["data"][0], result["charts"]["data"][0]):
            self.assertTrue(trace["x"][0].startswith("2020-01-02"), trace)

    def test_figures_made_without_pyplot_are_saved_and_closed_ones_are_not(self) -> None:
        run = self.completed(
            "import matplotlib.pyplot as plt\nimport matplotlib.figure\n"
            "own = matplotlib.figure.Figure()\nown.subplots().plot([1])\n"
            "closed = plt.figure()\nplt.close(closed)\nopened = plt.figure()",
            imports=["matplotlib.pyplot", "matplotlib.figure", "matplotlib"],
        )
        self.assertEqual(len(run.report["charts"]), 2)

    def test_what_cannot_leave_is_said_when_it_is_saved(self) -> None:
        run = self.completed(
            "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig(OUTPUT / 'a.raw')\nplt.savefig('b.png')\n"
            "plt.savefig('c')\nplt.savefig('a.raw')\n"
            "open('e.pkl', 'w').close()",
            endings=[".png", ".csv"],
        )
        told = "".join(f"warning: '{name}' will not leave the sandbox: files that do end in .png, .csv\n" for name in ("a.raw", "e.pkl"))
        self.assertEqual(run.payload("E").decode(), told)

    def test_too_many(self) -> None:
        code = "import matplotlib.pyplot as plt, plotly.graph_objects as go\nf = go.Figure()\nfor n in range(2): plt.figure()"
        self.assertEqual(len(self.completed(code, max_figures=3).report["charts"]), 3)
        report = self.completed(code, max_figures=2).report
        self.assertEqual([chart["kind"] for chart in report["charts"]], ["matplotlib", "matplotlib"])
        self.assertIn("the first 2 of 3 figures were kept", report["warnings"][0])
        report = self.completed(f"{code}\nresult = 5", max_figures=0).report
        self.assertEqual((report["charts"], report["result"]), ([], 5))
        self.assertEqual(report["warnings"], ["3 figures were left out: the policy takes none; print what they show"])

    def test_a_figure_that_cannot_be_drawn_costs_itself_and_a_warning(self) -> None:
        report = self.completed("import matplotlib.pyplot as plt\nplt.title('$\\\\nonsense{$')\nplt.figure()").report
        self.assertEqual(len(report["charts"]), 1)
        self.assertIn("ParseFatalException", str(report["warnings"]))


class Manifest(Case):
    def test_what_is_no_regular_file_is_not_listed(self) -> None:
        (self.host.output / "link").symlink_to("/etc/passwd")
        os.mkfifo(self.host.output / "pipe")
        run = self.completed("open('a', 'w').close()")
        self.assertEqual(run.paths, ["a"])

    def test_files_of_a_run_that_raised_are_listed(self) -> None:
        self.assertEqual(self.raised("open('a', 'w').close()\n1 / 0").paths, ["a"])


class Workload(Case):
    def test_a_whole_analysis_runs(self) -> None:
        code = Path(__file__).with_name("workload.py").read_text()
        run = self.completed(code, tables=[])
        self.assertTrue(run.stdout.endswith("WORKLOAD-OK\n"), run.stdout)
        self.assertEqual(
            [path for path in run.paths if not path.startswith("figures/")],
            ["a.npz", "d.json", "g.csv", "p.pdf", "p.png", "p.svg"],  # and plotly's page is a chart
        )
