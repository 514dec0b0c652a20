"""Budgets: what is counted, and that nothing of the script's gets past them."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host

ITERATIONS = {
    "a comprehension in a formula's text": (
        "import patsy\npatsy.EvalEnvironment.capture(0).eval('sum([1 for _ in range(100000)])')"
    ),
    "a comprehension in a type hint": (
        "import typing\ndef f(x: 'typing.Literal[[1 for _ in range(100000)][0]]'): pass\ntyping.get_type_hints(f)"
    ),
    "a for": "for i in range(10**9): pass",
    "a while": "while True: pass",
    "a while that continues": "n = 0\nwhile True:\n    n += 1\n    if n % 2: continue",
    "a loop that goes on by exceptions": "while True:\n    try: 1 / 0\n    except ZeroDivisionError: continue",
    "a comprehension": "x = [0 for _ in range(10**9)]",
    "a set comprehension": "x = {0 for _ in range(10**9)}",
    "a dict comprehension": "x = {0: 1 for _ in range(10**9)}",
    "a generator": "x = sum(1 for _ in range(10**9))",
    "nested loops": "for i in range(40):\n    for j in range(40): pass",
    "loops one after the other": "for i in range(600): pass\nfor i in range(600): pass",
    "a loop in a method": "class A:\n    def f(self):\n        for i in range(10**9): pass\nA().f()",
    "a loop in a nested function": "def f():\n    def g():\n        while True: pass\n    return g\nf()()",
    "an async for": (
        "async def g():\n    n = 0\n    while n < 800:\n        n += 1\n        yield n\n"
        "async def f():\n    async for x in g(): pass\n"
        "try: f().send(None)\nexcept StopIteration: pass"
    ),
    "a loop that catches everything": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n    finally: pass"
    ),
    "a loop in a finaliser": "class A:\n    def __enter__(self):\n        while True: pass\n    def __exit__(self, *e): pass\nwith A(): pass",
    "a loop in a thread": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def f():\n    while True: pass\n"
        "ThreadPoolExecutor(1).submit(f).result()"
    ),
    "a loop while the result is converted": (
        "class A(dict):\n    def items(self):\n        while True: pass\nresult = A(x=1)"
    ),
}

OPERATIONS = {
    "lines in a loop": "x = 0\nwhile True:\n    x += 1",
    "recursion that is caught": "def f():\n    try: f()\n    except RecursionError: f()\nf()",
    "calls by map": "x = sum(map(lambda n: n, range(10**9)))",
    "calls by a library": "import functools\nfunctools.reduce(lambda a, b: a, range(10**9))",
    "calls by sorting": "x = sorted(range(10**6), key=lambda n: -n)",
    "calls by pandas": "import pandas as pd\nx = pd.Series(range(10**6)).apply(lambda n: n)",
    "calls by attribute": "class A:\n    def __getattr__(self, name): return self.x\ntry: A().x\nexcept RecursionError: pass",
    "a generator that native code resumes": (
        "import itertools, collections\ndef g(): yield from itertools.repeat(1)\ncollections.deque(g(), maxlen=0)"
    ),
}


GOES_ON = {"a loop that catches everything", "a generator that native code resumes"}
TEXT_OF_ITS_OWN = {"a comprehension in a formula's text", "a comprehension in a type hint"}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def limited(self, code: str, limit: str, **changes: Any) -> Any:
        run = self.host.run(code, **changes)
        self.assertEqual((run.outcome, run.code, run.raw_stderr), ("limit", 0, b""), run.stderr)
        self.assertEqual((run.report["limit"], run.report["result"], run.report["charts"]), (limit, None, []))
        return run


class Iterations(Case):
    def test_every_loop_is_counted(self) -> None:
        for name, code in ITERATIONS.items():
            with self.subTest(name):
                self.limited(code, "loop_iterations", loop_iterations=1000)

    def test_exactly(self) -> None:
        run = self.host.run("for i in range(1000): pass\ni", loop_iterations=1000)
        self.assertEqual(run.report["result"], 999)
        self.limited("for i in range(1001): pass\ni", "loop_iterations", loop_iterations=1000)

    def test_jumps_that_are_no_loops_are_not(self) -> None:
        run = self.host.run("x = 0\nif x: x = 1\nelse: x = 2\ntry: 1 / 0\nexcept ArithmeticError: x = 3\nx", loop_iterations=1)
        self.assertEqual(run.report["result"], 3)


class Operations(Case):
    def test_whatever_repeats_is_counted(self) -> None:
        for name, code in (ITERATIONS | OPERATIONS).items():
            with self.subTest(name):
                self.limited(code, "operations", operations=300)

    def test_library_code_is_not(self) -> None:
        code = (
            "import pandas as pd, numpy as np\n"
            "f = pd.DataFrame({'g': np.arange(10**5) % 7, 'x': np.arange(10**5)})\n"
            "int(f.groupby('g').x.mean().sum())"
        )
        self.assertEqual(self.host.run(code, operations=50, loop_iterations=1).report["result"], 349996)

    def test_lines_calls_and_iterations_each_count_one(self) -> None:
        # Lines 1 (twice: the definition, the body), 2, 3; one call; for: the line again
        # at each of 3 turns and 3 iterations.
        code = "def f(): return 1\nx = f()\nfor i in range(3): pass\n7"
        used = next(n for n in range(1, 60) if self.host.run(code, operations=n).outcome == "completed")
        self.assertEqual(self.host.run(code, operations=used - 1).report["limit"], "operations")
        self.assertIn(used, range(8, 15))


class Reports(Case):
    def test_tells_the_line_and_what_to_do(self) -> None:
        run = self.limited("def f():\n    while True:\n        pass\n\nf()", "loop_iterations", loop_iterations=10)
        error = run.report["error"]
        self.assertIn(error["line"], (2, 3))
        self.assertEqual(error["type"], "BudgetUsedUpError")
        self.assertIn("the script has used up its 10 loop iterations", error["message"])
        self.assertIn('File "script.py", line 5, in <module>\n    f()\n', error["traceback"])

    def test_keeps_what_was_printed_and_written(self) -> None:
        run = self.limited(
            "open('a', 'w').close()\nprint('before', end='')\nwhile True: pass", "loop_iterations", loop_iterations=10
        )
        self.assertEqual((run.stdout, run.paths), ("before", ["a"]))

    def test_a_session_goes_on(self) -> None:
        talk = self.host.converse(mode="session", operations=300)
        for number, (name, code) in enumerate((ITERATIONS | OPERATIONS).items()):
            if name in GOES_ON | TEXT_OF_ITS_OWN or "Thread" in code:
                continue
            with self.subTest(name):
                run = talk.step(f"kept = {number}\n{code}\nkept = None")
                self.assertEqual((run.kinds[-1], run.outcome, run.report["limit"]), ("R", "raised", "operations"))
                self.assertIn("the script has used up its 300 operations", run.error)
                self.assertEqual((run.report["result"], run.report["charts"]), (None, []))
                self.assertIn(talk.step("kept").report["result"], (number, None))
        self.assertEqual(talk.end(), (b"", b"", 0))

    def test_each_step_has_its_full_budgets_and_says_where_it_was(self) -> None:
        talk = self.host.converse(mode="session", loop_iterations=100)
        self.assertEqual(talk.step("for i in range(80): pass").outcome, "completed")
        self.assertEqual(talk.step("def f():\n    for i in range(80): pass\nf()").outcome, "completed")
        run = talk.step("open('a', 'w').close()\nprint('before')\nf()\nf()")
        self.assertEqual((run.kinds, run.outcome, run.report["error"]["line"]), ("YOR", "raised", 2))
        self.assertEqual((run.stdout, run.paths), ("before\n", ["a"]))
        self.assertNotIn("hotcell_guard", run.report["error"]["traceback"])
        self.assertEqual(talk.step("f()\ni").report["result"], 79)

    def test_a_step_may_end_in_order_and_has_not_succeeded(self) -> None:
        talk = self.host.converse(mode="session", loop_iterations=100)
        code = "try:\n    while True: pass\nexcept KeyboardInterrupt as error:\n    seen = repr(error)\nfinally:\n    ended = 1\n7"
        run = talk.step(code)
        self.assertEqual((run.outcome, run.report["limit"], run.report["result"]), ("raised", "loop_iterations", None))
        self.assertEqual(talk.step("[seen, ended]").report["result"], ["KeyboardInterrupt('interrupted')", 1])

    def test_what_goes_on_ends_the_session(self) -> None:
        for name in sorted(GOES_ON | TEXT_OF_ITS_OWN):
            with self.subTest(name):
                talk = self.host.converse(mode="session", operations=300)
                run = talk.step((ITERATIONS | OPERATIONS)[name])
                if name in TEXT_OF_ITS_OWN and run.outcome == "raised":
                    continue  # it ended by itself, within what is left
                self.assertEqual((run.kinds, run.outcome), ("HYR", "limit"), run.stderr)
                self.assertEqual((talk.guard.wait(timeout=30), talk.end()[0]), (0, b""))

    def test_a_thread_of_an_earlier_step_cannot_speak_for_it(self) -> None:
        talk = self.host.converse(mode="session", loop_iterations=1_000_000)
        code = (
            "from concurrent.futures import ThreadPoolExecutor\nimport time\n"
            "def f():\n    while True: pass\nrunning = ThreadPoolExecutor(1).submit(f)\nNone"
        )
        self.assertEqual(talk.step(code).outcome, "completed")
        run = talk.step("time.sleep(60)")
        self.assertEqual(run.outcome, "limit")

    def test_nothing_is_counted_without_a_budget(self) -> None:
        self.assertEqual(self.host.run("for i in range(10**5): pass\ni").report["result"], 99_999)


class Finalisers(Case):
    def test_inside_a_write_no_frame_is_torn(self) -> None:
        # The collector runs the finaliser in whatever Python code allocates, that of
        # the channel's own write included.
        code = (
            "def finalised(me):\n    try: yield\n    finally:\n        for i in range(100): pass\n"
            "for i in range(10**6):\n    me = []\n    me.append(finalised(me))\n    next(me[0])\n    print('x' * 50)"
        )
        for iterations in (5_000, 50_000, 200_000):
            self.limited(code, "loop_iterations", loop_iterations=iterations, stdout_bytes=1 << 30)
