"""Mode session: one script after the other in one namespace."""

from __future__ import annotations

import os
import unittest
from typing import Any

from tests import preparing
from tests.host import Conversation, Host, Run, frame

CSV = {"name": "visits", "path": ".tables/visits.table"}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("g,x\na,1\nb,2\n")
        preparing.of_csv(self.host.bundle, "visits.csv")

    def begin(self, **changes: Any) -> Conversation:
        return self.host.converse(**{"mode": "session", **changes})

    def completed(self, run: Run) -> Run:
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.stderr)
        return run


STUMBLES = """
from hotcell_guard import _run, _session
from hotcell_guard.vetting._violations import Refused, Violation
def stumble(session, checked):
    raise Refused([Violation("test", 1, 1, "where nobody expects it")])
_session.Session._load = stumble
_run.main()
"""
"""A guard in which a refusal comes between the namespace and the lock."""


class Starts(unittest.TestCase):
    def test_no_step_follows_a_lock_that_was_not_reached(self) -> None:
        host = Host(["-c", STUMBLES])
        self.addCleanup(host.close)
        talk = host.converse(mode="session")
        first = talk.step("print('one')")
        self.assertEqual(first.kinds, "H", "any more, and the next step would run without a lock and without a hook")
        stream, raw_stderr, code = talk.end()
        self.assertEqual((stream, code), (b"", 70))
        self.assertIn(b"internal fault: Refused", raw_stderr)


class Steps(Case):
    def test_names_and_modules_stay(self) -> None:
        talk = self.begin(tables=[CSV])
        first = self.completed(talk.step("import math\ndef double(x): return 2 * x\nvisits['y'] = visits.x * 2\n1"))
        self.assertEqual(first.kinds, "HYR")
        second = self.completed(talk.step("[double(math.floor(2.5)), int(visits.y.sum())]"))
        self.assertEqual((second.kinds, second.report["result"]), ("YR", [4, 6]))

    def test_the_host_ends_it_between_two_steps(self) -> None:
        talk = self.begin()
        talk.step("1")
        self.assertEqual(talk.end(), (b"", b"", 0))

    def test_half_a_frame_is_a_fault(self) -> None:
        talk = self.begin()
        talk.step("1")
        assert talk.guard.stdin
        talk.guard.stdin.write(frame("C", b"1 + 1")[:-1])
        _, raw_stderr, code = talk.end()
        self.assertEqual((code, raw_stderr), (70, b"hotcell_guard: protocol fault: the stream ended inside a frame\n"))

    def test_the_result_of_a_step_is_its_own(self) -> None:
        talk = self.begin()
        self.assertEqual(talk.step("result = 1").report["result"], 1)
        self.assertIsNone(talk.step("x = 2").report["result"])
        self.assertEqual(talk.step("'result' in dir()").report["result"], False)
        self.assertEqual(talk.step("x").report["result"], 2)

    def test_a_builtins_name_that_an_earlier_step_has_bound(self) -> None:
        talk = self.begin(imports=["abc", "json", "functools"])
        kind = "import abc, json\nclass A(abc.ABC):\n    __match_args__ = ('__globals__',)\nA.register(type(json.dumps))\n"
        matches = "match json.dumps:\n    case {}(g): print('ESCAPED')"
        self.completed(talk.step(f"{kind}int = A\ndef later():\n    global str\n    str = A"))
        self.assertIn("positional pattern", talk.step(matches.format("int")).error)
        self.assertIn("positional pattern", talk.step("later()\n" + matches.format("str")).error)

    def test_a_builtins_name_that_a_later_step_binds(self) -> None:
        talk = self.begin(imports=["abc", "json", "types"])
        kind = "import abc, json\nclass A(abc.ABC):\n    __match_args__ = ('__globals__',)\nA.register(type(json.dumps))\n"
        kinds = ("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
        gets = "".join(f"def of_{name}(it):\n    match it:\n        case {name}(g): return g\n" for name in kinds)
        self.completed(talk.step(kind + gets))
        self.assertEqual(talk.step("[of_int(1), of_str('a'), of_list([2]), of_bool(2)]").report["result"], [1, "a", [2], None])
        for name in kinds:
            run = talk.step(f"{name} = A\nof_{name}(json.dumps)")
            self.assertIn("positional pattern", run.error, name)

    def test_super_is_nobodys_to_bind(self) -> None:
        talk = self.begin(imports=["json"])
        self.completed(talk.step("import json\nclass A:\n    def f(self): return super().__init__\nheld = json.JSONDecoder()"))
        for code in (
            "super = lambda: held", "def super(): return held", "class super: pass", "import json as super", "for super in []: pass",
            "def f(x: (super := 1)): pass", "def f():\n    global super\n    super = 1", "match 1:\n    case super: pass", "del super",
            "try: pass\nexcept ValueError as super: pass", "with open('x') as super: pass", "(super := 1)", "type super = int",
        ):
            run = talk.step(code)
            self.assertEqual(run.outcome, "rejected", code)
            self.assertIn("name.reserved", run.rules, code)
        self.completed(talk.step("A().f()"))

    def test_a_rejected_step_does_not_end_it(self) -> None:
        talk = self.begin()
        self.assertEqual(talk.step("import os").kinds, "HR")
        self.completed(talk.step("x = 1"))
        run = talk.step("x = 2\neval('1')")
        self.assertEqual((run.kinds, run.outcome), ("R", "rejected"))
        self.assertEqual(talk.step("x").report["result"], 1)

    def test_a_step_that_raises_does_not_end_it(self) -> None:
        talk = self.begin()
        self.assertEqual(talk.step("x = 1\nraise ValueError(x)").error, "ValueError: 1")
        self.assertEqual(talk.step("raise SystemExit(3)").error, "SystemExit: 3")
        self.completed(talk.step("raise SystemExit"))
        self.assertEqual(talk.step("x").report["result"], 1)

    def test_a_table_that_cannot_be_loaded_ends_it(self) -> None:
        talk = self.begin(tables=[CSV | {"path": "nothing.table"}])
        self.assertEqual(talk.step("1").outcome, "guard_failed")
        self.assertEqual((talk.guard.wait(timeout=30), talk.end()[0]), (0, b""))

    def test_tracebacks_tell_step_line_and_source(self) -> None:
        talk = self.begin()
        self.completed(talk.step("\ndef f(x):\n    return 1 / x"))
        self.assertEqual(talk.step("import os").outcome, "rejected")
        error = talk.step("y = 0\n\nf(y)").report["error"]
        self.assertEqual(
            (error["line"], error["traceback"]),
            (
                3,
                "Traceback (most recent call last):\n"
                '  File "step-3.py", line 3, in <module>\n    f(y)\n'
                '  File "step-1.py", line 3, in f\n    return 1 / x\n'
                "ZeroDivisionError: division by zero",
            ),
        )

    def test_files_are_listed_in_each_report(self) -> None:
        talk = self.begin()
        self.assertEqual(talk.step("open('a', 'w').close()").paths, ["a"])
        self.assertEqual(talk.step("open('b', 'w').close()").paths, ["a", "b"])
        self.assertEqual(sorted(os.listdir(self.host.output)), ["a", "b"])


class Streams(Case):
    def test_each_step_has_its_caps(self) -> None:
        talk = self.begin(stdout_bytes=5, stderr_bytes=100)
        first = talk.step("print('123456')")
        self.assertEqual((first.stdout, first.report["truncated"]), ("12345", {"stdout": True, "stderr": False}))
        second = talk.step("print('ab')")
        self.assertEqual((second.stdout, second.report["truncated"]["stdout"]), ("ab\n", False))

    def test_what_is_printed_between_two_steps_belongs_to_none(self) -> None:
        talk = self.begin(stdout_bytes=1000)
        code = (
            "from concurrent.futures import ThreadPoolExecutor\nimport time\n"
            "go = []\nsaid = []\n"
            "def later():\n    while not go: time.sleep(0.01)\n    time.sleep(0.3)\n    print('late')\n    said.append(1)\n"
            "ThreadPoolExecutor(1).submit(later)\nNone"
        )
        self.assertEqual(talk.step(code).kinds, "HYR")
        self.assertEqual(talk.step("go.append(1)").kinds, "YR")
        run = talk.step("while not said: time.sleep(0.01)")
        self.assertEqual((run.stdout, run.kinds), ("", "YR"))
        self.assertIn("printed 5 bytes", run.report["warnings"][-1])


class Figures(Case):
    def test_a_figure_is_reported_with_its_own_step(self) -> None:
        talk = self.begin()
        first = talk.step("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nNone")
        self.assertEqual([chart["path"] for chart in first.report["charts"]], ["figures/figure-01.png"])
        self.assertEqual(talk.step("1").report["charts"], [])
        third = talk.step("plt.plot([1])\nfig.savefig('again.png')\nNone")
        self.assertEqual([chart["path"] for chart in third.report["charts"]], ["figures/figure-02.png"])
        self.assertEqual(
            {file["path"]: file["role"] for file in third.report["files"]},
            {"again.png": "file", "figures/figure-01.png": "figure", "figures/figure-02.png": "figure"},
        )

    def test_what_an_earlier_step_left_in_a_figure_runs_in_the_next_ones_account(self) -> None:
        talk = self.begin(imports=["matplotlib.pyplot"])
        self.completed(
            talk.step(
                "import matplotlib.pyplot as plt\nfigure = plt.figure()\ndef left(*given): raise ValueError('left')\n"
                "figure.canvas.mpl_disconnect = left"
            )
        )
        self.assertEqual(talk.step("1").error, "ValueError: left")

    def test_a_plotly_figure_too_unless_it_is_shown_again(self) -> None:
        talk = self.begin()
        first = talk.step("import plotly.graph_objects as go\nfig = go.Figure(go.Bar(y=[1]))")
        self.assertEqual(len(first.report["charts"]), 1)
        self.assertEqual(talk.step("x = fig.to_dict()").report["charts"], [])
        self.assertEqual(len(talk.step("fig.show()").report["charts"]), 1)
        self.assertEqual(len(talk.step("fig.add_bar(y=[2])").report["charts"]), 1)

    def test_each_step_has_its_number_of_figures(self) -> None:
        talk = self.begin(max_figures=1)
        for _ in range(3):
            run = talk.step("import matplotlib.pyplot as plt\nplt.figure()\nNone")
            self.assertEqual(len(self.completed(run).report["charts"]), 1)
        report = self.completed(talk.step("plt.figure(), plt.figure()\nNone")).report
        self.assertEqual((len(report["charts"]), len(report["warnings"])), (1, 1))
        self.completed(talk.step("plt.figure()\nNone"))


ENDLESS = {
    "a loop": "while True: pass",
    "a loop that catches nothing": "try:\n    while True: z = 1\nfinally:\n    y = 2",
    "a sleep": "time.sleep(1000)",
    "a function": "def f(n):\n    while True: n += 1\nf(1)",
    "a method that a library calls": "pd.Series(range(10)).apply(lambda v: time.sleep(1000))",
    "a comparison": "class Slow:\n    def __lt__(self, other):\n        while True: pass\nsorted([Slow(), Slow()])",
    "numpy, again and again": "while True: np.linalg.svd(np.ones((50, 50)))",
    "other threads": "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor(1).submit(time.sleep, 3).result()\nwhile True: pass",
    "a generator": "def g():\n    while True: yield 1\nsum(g())",
    "prints": "while True: print('again')",
    "guarded reads": "while True: getattr(np, 'pi'); hasattr(np, 'nothing')",
    "imports": "while True:\n    import json, math",
    "an attribute of a class of its own": "class A:\n    def __getattr__(self, name):\n        while True: pass\ngetattr(A(), 'x')",
    "a wait": "import asyncio\nawait asyncio.sleep(1000)",
    "a context": "class A:\n    def __enter__(self): return 1\n    def __exit__(self, *e): kept.append(len(e))\nwith A():\n    print('inside')\n    while True: pass",
}
BEGIN = "print('begun')\n"


MEDDLERS = {
    "a result given to the task": "asyncio.Future.set_result(task, (True, 'forged'))",
    "a result of its own, alone": "asyncio.Future.set_result(task, 'forged')",
    "an exception given to the task": "asyncio.Future.set_exception(task, ValueError('forged'))",
    "its callbacks taken away": "[task.remove_done_callback(Equal()) for _ in range(3)]",
    "its answers replaced": "setattr(task, 'result', lambda: 'forged'); setattr(task, 'done', lambda: True)",
    "what the loop calls": "setattr(asyncio.get_running_loop(), 'call_soon', print)",
    "how the loop is run": "setattr(asyncio.get_running_loop(), 'run_forever', print)",
    "a loop that is stopped": "asyncio.get_running_loop().stop()",
    "a coroutine that is closed": "task.get_coro().close()",
}
"""What a task that an earlier step has left can do to the task of a later one."""

MEDDLE = """
import asyncio
class Equal:
    def __eq__(self, other): return True
    def __hash__(self): return 1
async def meddle():
    for _ in range(20):
        await asyncio.sleep(0)
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task() and not task.done():
                try:
                    {}
                except BaseException as error:
                    said.append(type(error).__name__)
said = []
left = asyncio.create_task(meddle())
await asyncio.sleep(0)
"""


class Tasks(Case):
    def test_no_task_of_an_earlier_step_says_how_a_later_one_ends(self) -> None:
        for label, act in MEDDLERS.items():
            with self.subTest(label):
                talk = self.begin(imports=["asyncio"])
                self.completed(talk.step(MEDDLE.replace("{}", act)))
                run = talk.step("await asyncio.sleep(0.02)\nawait asyncio.sleep(0.02)\n'its own'")
                self.assertIn((run.outcome, run.report["result"]), (("completed", "its own"), ("raised", None)))
                self.assertNotIn("forged", str(run.report))
                raised = talk.step("await asyncio.sleep(0.02)\nraise ValueError('its own')")
                self.assertEqual(raised.outcome, "raised")
                self.assertNotIn("forged", str(raised.report))
                self.assertEqual(self.completed(talk.step("1 + 1")).report["result"], 2)

    def test_each_step_prints_where_it_is_read(self) -> None:
        talk = self.begin(imports=["contextlib", "io", "sys"])
        self.completed(talk.step("import contextlib, io, sys\nredirect = contextlib.redirect_stdout(io.StringIO())\nredirect.__enter__()"))
        self.assertEqual(self.completed(talk.step("print('p = 0.70')")).stdout, "p = 0.70\n")
        self.completed(talk.step("sys.stderr = io.StringIO()"))
        self.assertEqual(self.completed(talk.step("print('told', file=sys.stderr)")).stderr, "told\n")


LEAVE = """
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
go, done = threading.Event(), threading.Event()
def forge():
    go.wait()
    print('p = 0.001')
    done.set()
"""
USE = "go.set()\ndone.wait()\nprint('p = 0.700')"

LEFT = {
    "a thread": "threading.Thread(target=forge).start()",
    "a timer": "threading.Timer(0, forge).start()",
    "a thread of a thread": "def start(): go.wait(); threading.Thread(target=forge).start()\nthreading.Thread(target=start).start()",
    "a thread's own class": "class Own(threading.Thread):\n    def run(self): forge()\nOwn().start()",
    "work of a pool": "pool = ThreadPoolExecutor(1)\nleft = pool.submit(forge)",
    "work that a thread gives to a pool": (
        "pool = ThreadPoolExecutor(1)\npool.submit(int).result()\n"
        "def give(): go.wait(); pool.submit(forge)\nthreading.Thread(target=give).start()"
    ),
    "what begins a pool's thread": "pool = ThreadPoolExecutor(1, initializer=forge)\nleft = pool.submit(int)",
    "what a pool's work calls back": (
        "pool = ThreadPoolExecutor(1)\nleft = pool.submit(go.wait)\nleft.add_done_callback(lambda _: forge())"
    ),
    "an heir of a pool": (
        "class Pool(ThreadPoolExecutor): pass\npool = Pool(1)\nleft = pool.submit(forge)"
    ),
}
"""What an earlier step leaves that prints when a later one has it go on."""


class Threads(Case):
    def left(self, act: str) -> Conversation:
        talk = self.begin(imports=["threading", "concurrent.futures", "sys"])
        self.completed(talk.step(LEAVE + act))
        return talk

    def test_what_an_earlier_steps_thread_prints_is_no_later_steps(self) -> None:
        for label, act in LEFT.items():
            with self.subTest(label):
                talk = self.left(act)
                run = self.completed(talk.step(USE))
                self.assertEqual((run.stdout, run.stderr), ("p = 0.700\n", ""))
                warnings = "; ".join(run.report["warnings"])
                self.assertRegex(warnings, "^[12] threads? of earlier steps ran")
                self.assertIn("threads of earlier steps have printed 10 bytes", warnings)

    def test_it_is_told_of_a_step_that_raises(self) -> None:
        run = self.left(LEFT["a thread"]).step(USE + "\nraise ValueError('its own')")
        self.assertEqual((run.outcome, run.stdout), ("raised", "p = 0.700\n"))
        self.assertIn("1 thread of earlier steps ran", "; ".join(run.report["warnings"]))

    def test_threads_that_a_step_starts_print_into_it(self) -> None:
        talk = self.left("pool = ThreadPoolExecutor(2)\nprint(*pool.map(lambda n: n + 1, range(4)))")
        for _ in range(2):
            run = self.completed(talk.step("for _ in pool.map(sys.stdout.write, ['0\\n', '1\\n', '2\\n', '3\\n']): pass\nt = threading.Thread(target=print, args='x')\nt.start()\nt.join()"))
            self.assertEqual(sorted(run.stdout.split()), ["0", "1", "2", "3", "x"])
            self.assertEqual(run.report["warnings"], [])

    def test_a_single_run_has_all_its_threads_print(self) -> None:
        code = "import threading\nt = threading.Thread(target=print, args='x')\nt.start()\nt.join()"
        run = self.completed(self.host.run(code, imports=["threading"]))
        self.assertEqual((run.stdout, run.report["warnings"]), ("x\n", []))


class Interrupts(Case):
    def begun(self, **changes: Any) -> Conversation:
        talk = self.begin(imports=["time", "re", "pandas", "numpy", "math", "json", "asyncio", "concurrent.futures", "threading"], **changes)
        self.completed(talk.step("import time, re\nimport numpy as np\nimport pandas as pd\nkept = []"))
        return talk

    def test_what_does_not_end_is_interrupted_and_variables_stay(self) -> None:
        talk = self.begun(stdout_bytes=1 << 14)
        for number, (name, code) in enumerate(ENDLESS.items(), 1):
            with self.subTest(name):
                marker = b"inside" if "inside" in code else b"begun"
                run = talk.interrupted(f"x = {number}\n{BEGIN}{code}", 2 * number, marker=marker)
                self.assertEqual((run.outcome, run.error), ("raised", "KeyboardInterrupt: interrupted"))
                self.assertEqual(self.completed(talk.step("[x, len(kept)]")).report["result"], [number, int(name == "a context")])

    def test_the_traceback_has_the_scripts_place_alone(self) -> None:
        talk = self.begun()
        error = talk.interrupted("def f():\n    print('begun')\n    while True: pass\nf()", 2).report["error"]
        self.assertIn(error["line"], (2, 3))
        self.assertNotIn("_interrupt", error["traceback"])

    def test_a_script_may_catch_it_and_go_on_to_its_end(self) -> None:
        talk = self.begun()
        code = f"{BEGIN}try:\n    while True: pass\nexcept KeyboardInterrupt:\n    kept.append(1)\nfinally:\n    kept.append(2)"
        self.assertIn(talk.interrupted(code, 2).outcome, ("completed", "raised"))
        self.assertIn(talk.step("kept").report["result"], ([1, 2], [2], []))

    def test_one_that_is_swallowed_comes_again(self) -> None:
        talk = self.begun()
        code = "times = 0\nwhile times < 3:\n    try:\n        print('begun')\n        while True: pass\n    except BaseException: times += 1"
        self.assertIn(talk.interrupted(code, 2).outcome, ("completed", "raised"))
        self.assertGreaterEqual(talk.step("times").report["result"], 1)

    def test_one_that_comes_late_meets_no_other_script(self) -> None:
        talk = self.begun()
        for number in (1, 2, 3, 99, (1 << 64) - 1):
            talk.interrupt(number)
        self.completed(talk.step("1"))
        for number in (0, 1, 2, 4, 99):
            run = talk.interrupted(f"{BEGIN}time.sleep(0.5)\nsum(range(10 ** 6))", number)
            self.completed(run)
            talk.step("1")

    def test_between_scripts_that_were_rejected_it_means_nothing(self) -> None:
        talk = self.begin()
        self.assertEqual(talk.step("import os").outcome, "rejected")
        talk.interrupt(1)
        talk.interrupt(2)
        self.assertEqual(talk.step("import os").outcome, "rejected")
        talk.interrupt(2)
        self.completed(talk.step("1"))
        self.assertEqual(talk.end(), (b"", b"", 0))

    def test_a_call_of_a_tool_has_its_answer_first(self) -> None:
        talk = self.host.converse(mode="session", inputs="context", tools={"wait": lambda given: 7})
        code = f"n = 0\n{BEGIN}while True:\n    n += context.tools.call('wait')"
        run = talk.interrupted(code, 1)
        self.assertEqual((run.outcome, run.error), ("raised", "KeyboardInterrupt: interrupted"))
        self.assertEqual(talk.step("n % 7, context.tools.call('wait')").report["result"], [0, 7])

    def test_under_budgets_too(self) -> None:
        talk = self.begun(operations=1 << 40, loop_iterations=1 << 40)
        self.assertEqual(talk.interrupted(f"{BEGIN}while True: pass", 2).error, "KeyboardInterrupt: interrupted")
        self.completed(talk.step("1"))

    def test_a_script_cannot_send_signals_itself(self) -> None:
        talk = self.begin(imports=["threading"])
        self.assertEqual(talk.step("import signal").outcome, "rejected")
        run = talk.step("raise KeyboardInterrupt('interrupted')")
        self.assertEqual(run.error, "KeyboardInterrupt: interrupted")
        self.completed(talk.step("1"))

    def test_an_interrupt_of_another_length_is_a_fault(self) -> None:
        talk = self.begin()
        talk.step("1")
        talk.send("X", bytes(9))
        self.assertEqual((talk.guard.wait(timeout=30), talk.end()[0]), (70, b""))

    def test_half_a_frame_is_a_fault_also_while_a_script_runs(self) -> None:
        talk = self.begin(imports=["time"])
        talk.send("C", b"import time\ntime.sleep(1000)")
        assert talk.guard.stdin
        talk.guard.stdin.write(b"X\0\0")
        _, raw_stderr, code = talk.end()
        self.assertEqual((code, raw_stderr), (70, b"hotcell_guard: protocol fault: the stream ended inside a frame\n"))
