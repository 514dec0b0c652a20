"""Scripts whose own level awaits and returns."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host, Run

ASYNC = "asyncio"


def add(params: Any) -> Any:
    return {"sum": params["a"] + params["b"]}


def nothing(params: Any) -> Any:
    return None


def fail(params: Any) -> Any:
    raise ValueError("the host's words")


TOOLS = {"add": add, "nothing": nothing, "fail": fail, "yes": lambda params: True, "mcp__git_hub__search": lambda params: params}
TOOLS |= {"mcp__a-b__c.d": lambda params: 7, "k-l/m": lambda params: 8}

RETURNS: dict[str, tuple[str, Any]] = {
    "a value": ("x = 2\nreturn x + 1\nx = 9", 3),
    "nothing": ("result = 4\nreturn\nresult = 5", 4),
    "a value before result": ("result = 4\nreturn 5", 5),
    "None leaves result": ("result = 4\nreturn None", 4),
    "in a branch": ("if 1 > 0:\n    return 'yes'\n'no'", "yes"),
    "not reached": ("if 1 > 2:\n    return 'yes'\n'no'", "no"),
    "not reached, and nothing follows": ("if 1 > 2:\n    return 'yes'\n", None),
    "in a loop": ("for i in range(9):\n    for j in range(9):\n        if i * j == 12: return [i, j]\nelse:\n    return 0", [2, 6]),
    "in a loop's else": ("for i in range(3):\n    while False: pass\n    else:\n        return i\n7", 0),
    "finally runs": ("try:\n    return print('a')\nfinally:\n    print('b')\n", None),
    "finally's return wins": ("try:\n    return 1\nfinally:\n    return 2\n", 2),
    "break in finally takes it back": ("for i in [1]:\n    try:\n        return 1\n    finally:\n        break\n'on'", "on"),
    "continue in finally takes it back": ("for i in [1, 2]:\n    try:\n        return 1\n    finally:\n        continue\n'on'", "on"),
    "no handler catches it": ("try:\n    return 1\nexcept BaseException:\n    pass\n2", 1),
    "except* neither": ("try:\n    try:\n        return 1\n    except* BaseException:\n        pass\nfinally: x = 1\n2", 1),
    "an exception in finally takes it back": (
        "try:\n    try:\n        return 1\n    finally:\n        1 / 0\nexcept ZeroDivisionError:\n    pass\nfor i in [3]:\n"
        "    if i == 4: return 5\n'on'",
        "on",
    ),
    "a with sees no exception": (
        "class M:\n    def __enter__(self): return self\n    def __exit__(self, *e):\n        seen.append(e)\nseen = []\ntry:\n"
        "    with M():\n        return 1\nfinally:\n    result = seen == [(None, None, None)]\n    return result",
        True,
    ),
    "names stay globals": ("x = 1\ndef f():\n    global x\n    x += 1\n    return x\nf()\nf()\nreturn x", 3),
    "a function sees what is bound later": ("def f(): return y\ny = 4\nreturn f()", 4),
    "comprehensions": ("n = 2\nreturn [[i * n for i in range(n)], (lambda: n)(), {*(n for _ in [1])} == {2}]", [[0, 2], 2, True]),
    "a class's body": ("x = 1\nclass A:\n    x = x + 1\n    y = [x for _ in [0]]\nreturn [A.x, A.y, x]", [2, [1], 1]),
    "names of functions and classes": (
        "def f():\n    def g(): pass\n    return g\nclass A:\n    class B: pass\n    def m(self): pass\ng = lambda: 1\n"
        "return [f.__qualname__, f().__qualname__, A.B.__qualname__, A.m.__qualname__, g.__qualname__]",
        ["f", "f.<locals>.g", "A.B", "A.m", "<lambda>"],
    ),
    "deletion": ("x = 1\ndel x\ntry:\n    x\nexcept NameError as e:\n    return str(e)", "name 'x' is not defined"),
    "a handler's name goes": ("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\ntry: e\nexcept NameError: return 'gone'", "gone"),
    "walrus in a comprehension": ("[y := i for i in range(4)]\ndef f(): return y\nreturn f()", 3),
    "patterns": ("match {'a': [1, 2, 3]}:\n    case {'a': [f, *r], **k}: pass\ndef g(): return [f, r, k]\nreturn g()", [1, [2, 3], {}]),
    "annotations": ("x: int = 3\ny: str\nclass A: pass\na = A()\na.b: int = 4\ndef f(): return x\nreturn [f(), a.b]", [3, 4]),
    "an annotation is evaluated": ("try:\n    x: nothing = 3\nexcept NameError: return x", 3),
    "of the future it is not": ("'text'\nfrom __future__ import annotations\nx: nothing = 3\nreturn [x, __doc__]", [3, "text"]),
    "type parameters": ("def f[T](x: T) -> T: return x\nclass A[T]: pass\ntype P[T] = list[T]\nreturn [f(2), P.__name__, A.__name__]", [2, "P", "A"]),
    "imports": ("import math, os.path as p, collections.abc\nfrom json import loads\ndef f(): return [math.floor(2.5), loads('1'), p.sep]\nreturn f()", [2, 1, "/"]),
    "dir": ("here = 1\nreturn ['here' in dir(), 'zz' in dir()]", [True, False]),
    "locals": ("here = 1\nreturn [locals()['here'], globals()['here'], sorted(globals()) == sorted(locals())]", [1, 1, True]),
    "private attributes": (
        "class A:\n    def __init__(self): self._x = 1\na = A()\na._x += 2\nreturn [a._x, '{}'.format(a._x), [b._x for b in [a]]]",
        [3, "3", [3]],
    ),
    "patterns with positions": (
        "class P:\n    __match_args__ = ('a',)\n    def __init__(self, a): self.a = a\nmatch P(5):\n    case P(x): return x",
        5,
    ),
    "a generator that is not run": ("g = (i for i in [1, 2])\nreturn list(g)", [1, 2]),
    "a function's own return": ("def f():\n    return 1\nf()", 1),
}

AWAITS: dict[str, tuple[str, Any]] = {
    "a coroutine": ("async def f(x): return x + 1\nawait f(1)", 2),
    "in the middle": ("async def f(x): return x + 1\ny = await f(1)\ny += await f(y)\ny", 5),
    "and a return": ("async def f(x): return x + 1\nfor i in range(5):\n    if await f(i) == 3: return i\n", 2),
    "loops and contexts": (
        "class C:\n    async def __aenter__(self): return 3\n    async def __aexit__(self, *e): pass\n"
        "async def g():\n    for i in range(3): yield i\n"
        "total = 0\nasync for i in g(): total += i\nasync with C() as c: total += c\n[total, [i async for i in g()], {i: i async for i in g()}]",
        [6, [0, 1, 2], {"0": 0, "1": 1, "2": 2}],
    ),
    "names stay globals": ("async def f():\n    global x\n    x = 5\nx = 1\nawait f()\nx", 5),
    "the result variable": ("async def f(): return 1\nresult = await f()", 1),
    "a context variable": (
        "from contextvars import ContextVar\nv = ContextVar('v', default=0)\nasync def f(): v.set(3)\nawait f()\nv.get()",
        3,
    ),
    "exceptions": ("async def f(): raise KeyError('k')\ntry:\n    await f()\nexcept KeyError as e:\n    x = str(e)\nx", "'k'"),
}

ASYNCIO: dict[str, tuple[str, Any]] = {
    "run": ("async def f():\n    await asyncio.sleep(0.001)\n    return 3\nasyncio.run(f())", 3),
    "run twice": ("async def f(): return 3\n[asyncio.run(f()), asyncio.run(f())]", [3, 3]),
    "gather": (
        "async def f(n):\n    await asyncio.sleep(0.01 * (3 - n))\n    order.append(n)\n    return n\norder = []\n"
        "[await asyncio.gather(*[f(n) for n in range(3)]), order]",
        [[0, 1, 2], [2, 1, 0]],
    ),
    "gather with exceptions": (
        "async def f(n): return 1 // n\n[str(x) for x in await asyncio.gather(f(1), f(0), return_exceptions=True)]",
        ["1", "integer division or modulo by zero"],
    ),
    "wait_for": (
        "try:\n    await asyncio.wait_for(asyncio.sleep(60), 0.01)\nexcept asyncio.TimeoutError:\n    x = 'late'\nx",
        "late",
    ),
    "timeout": ("try:\n    async with asyncio.timeout(0.01):\n        await asyncio.sleep(60)\nexcept TimeoutError:\n    x = 'late'\nx", "late"),
    "a task group": (
        "async def f(n): return n * 2\nasync with asyncio.TaskGroup() as group:\n    tasks = [group.create_task(f(n)) for n in range(3)]\n"
        "[task.result() for task in tasks]",
        [0, 2, 4],
    ),
    "a task group that fails": (
        "async def f(): raise ValueError('x')\nasync def g():\n    try: await asyncio.sleep(60)\n    except asyncio.CancelledError:\n        seen.append(1)\n        raise\n"
        "seen = []\ntry:\n    async with asyncio.TaskGroup() as group:\n        group.create_task(g())\n        group.create_task(f())\n"
        "except* ValueError as e: seen.append(len(e.exceptions))\nseen",
        [1, 1],
    ),
    "tasks": ("async def f(): return 7\nt = asyncio.create_task(f(), name='n')\n[await t, t.done(), t.get_name(), t.result()]", [7, True, "n", 7]),
    "cancellation": ("t = asyncio.create_task(asyncio.sleep(60))\nawait asyncio.sleep(0)\nt.cancel()\ntry: await t\nexcept asyncio.CancelledError: pass\nt.cancelled()", True),
    "a queue": (
        "async def put(q):\n    for i in range(5):\n        await q.put(i)\n    await q.put(None)\n"
        "async def take(q):\n    got = []\n    while (x := await q.get()) is not None: got.append(x)\n    return got\n"
        "async def main():\n    q = asyncio.Queue(2)\n    _, got = await asyncio.gather(put(q), take(q))\n    return got\nasyncio.run(main())",
        [0, 1, 2, 3, 4],
    ),
    "locks and events": (
        "lock, event, limit = asyncio.Lock(), asyncio.Event(), asyncio.Semaphore(2)\nasync def f(n):\n    await event.wait()\n    async with lock, limit:\n        return n\n"
        "ts = [asyncio.ensure_future(f(n)) for n in range(3)]\nawait asyncio.sleep(0)\nevent.set()\nawait asyncio.gather(*ts)",
        [0, 1, 2],
    ),
    "wait": (
        "ts = {asyncio.create_task(asyncio.sleep(d, d)) for d in (0, 60)}\ndone, left = await asyncio.wait(ts, return_when=asyncio.FIRST_COMPLETED)\n"
        "for t in left: t.cancel()\n[len(done), len(left)]",
        [1, 1],
    ),
    "as_completed": ("got = []\nfor each in asyncio.as_completed([asyncio.sleep(0.02, 'b'), asyncio.sleep(0, 'a')]): got.append(await each)\ngot", ["a", "b"]),
    "threads": ("await asyncio.to_thread(sum, [1, 2])", 3),
    "the old way": ("async def f(): return 3\nloop = asyncio.get_event_loop()\nloop.run_until_complete(f())", 3),
    "a loop of one's own": ("async def f(): return 3\nloop = asyncio.new_event_loop()\ntry: x = loop.run_until_complete(f())\nfinally: loop.close()\nx", 3),
    "run inside of a loop is refused": ("async def f(): pass\nasync def main():\n    try: asyncio.run(f())\n    except RuntimeError as e: return str(e)[:13]\nasyncio.run(main())", "asyncio.run()"),
    "what is left is cancelled": (
        "seen = []\nasync def f():\n    try: await asyncio.sleep(60)\n    finally: seen.append('end')\n"
        "async def main(): asyncio.create_task(f()); await asyncio.sleep(0)\nasyncio.run(main())\nseen",
        ["end"],
    ),
    "a generator": ("async def g():\n    for i in range(3):\n        await asyncio.sleep(0)\n        yield i\nasync def main(): return [i async for i in g()]\nasyncio.run(main())", [0, 1, 2]),
    "callbacks": ("async def main():\n    got = []\n    loop = asyncio.get_running_loop()\n    loop.call_later(0.01, got.append, 2)\n    loop.call_soon(got.append, 1)\n    await asyncio.sleep(0.03)\n    return got\nasyncio.run(main())", [1, 2]),
    "an exit": ("async def main():\n    raise SystemExit(0)\nresult = 5\nasyncio.run(main())", 5),
}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def completed(self, run: Run) -> Any:
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        return run.report["result"]

    def run_all(self, scripts: dict[str, tuple[str, Any]], before: str = "", **changes: Any) -> None:
        for name, (code, expected) in scripts.items():
            with self.subTest(name):
                self.assertEqual(self.completed(self.host.run(before + code, **changes)), expected)


class Returns(Case):
    def test_a_return_ends_the_script(self) -> None:
        self.run_all(RETURNS, imports=[*"math json collections collections.abc os.path".split()])

    def test_lines_are_true(self) -> None:
        for end in ("", "\nreturn 1", "\nasync def g(): pass\nawait g()"):
            run = self.host.run("def f(x):\n    return 1 / x\n\nfor i in [1, 0]:\n    f(\n        i)" + end)
            self.assertEqual((run.report["error"]["line"], run.outcome), (2, "raised"))
            trace = run.report["error"]["traceback"]
            self.assertIn('File "script.py", line 5, in <module>\n    f(\n  File "script.py", line 2, in f', trace)

    def test_what_python_refuses_elsewhere_stays_refused(self) -> None:
        for code, line, words in (
            ("class A:\n    return 1", 2, "'return' outside function"),
            ("return 1\nyield 2", 2, "'yield' outside function"),
            ("def f():\n    await g()\nreturn", 2, "'await' outside async function"),
            ("await g()\ndef f():\n    await g()", 3, "'await' outside async function"),
            ("lambda: (await g())", 1, "'await' outside async function"),
            ("return 1\nbreak", 2, "'break' outside loop"),
            ("return 1\nnonlocal x", 2, "nonlocal declaration not allowed at module level"),
            ("def f():\n    nonlocal x\nx = 1\nreturn 1", 2, "no binding for nonlocal 'x' found"),
            ("try: pass\nexcept* ValueError:\n    return 1", 3, "'break', 'continue' and 'return' cannot appear in an except* block"),
            ("x = 1\nglobal x\nreturn 1", 2, "name 'x' is assigned to before global declaration"),
            ("return 1\nfrom __future__ import annotations", 2, "must occur at the beginning"),
            ("def f():\n    async for x in y: pass\nawait z", 2, "'async for' outside async function"),
        ):
            with self.subTest(code):
                run = self.host.run(code)
                self.assertEqual([(each["rule"], each["line"]) for each in run.report["violations"]], [("syntax.error", line)])
                self.assertIn(words, run.report["violations"][0]["message"])

    def test_what_is_dangerous_stays_refused_with_its_line(self) -> None:
        for code, line in (
            ("x = 1\nreturn x.__globals__", 2),
            ("async def f(): pass\nawait f().cr_frame", 2),
            ("async def f(): pass\nc = f()\nc.cr_frame.f_globals\nawait c", 3),
            ("return eval('1')", 1),
            ("await (lambda: 0).__code__", 1),
            ("import os\nreturn os", 1),
            ("return (yield_ := 1).gi_frame", 1),
        ):
            with self.subTest(code):
                run = self.host.run(code)
                self.assertEqual((run.outcome, run.report["violations"][0]["line"]), ("rejected", line))

    def test_a_return_ends_no_account(self) -> None:
        for code in (
            "try:\n    return 1\nfinally:\n    while True: pass",
            "async def f():\n    while True: pass\nawait f()",
            "async def f():\n    while True: await f2()\nasync def f2(): pass\nawait f()",
            "import asyncio\nasync def f():\n    while True: await asyncio.sleep(0)\nasyncio.run(f())",
            "import asyncio\nasync def f(): asyncio.get_running_loop().call_soon(again)\n"
            "def again(): asyncio.get_running_loop().call_soon(again)\nawait f()\nawait asyncio.sleep(1e6)",
        ):
            with self.subTest(code):
                run = self.host.run(code, imports=[ASYNC], operations=5_000)
                self.assertEqual((run.outcome, run.report["limit"]), ("limit", "operations"))


class Awaits(Case):
    def test_the_scripts_own_level_awaits(self) -> None:
        self.run_all(AWAITS, imports=["contextvars"])
        self.run_all(AWAITS, "import asyncio\n", imports=["contextvars", ASYNC])

    def test_nothing_can_be_waited_for_without_asyncio(self) -> None:
        run = self.host.run("class A:\n    def __await__(self): yield 1\nawait A()")
        self.assertIn("import asyncio", run.error)

    def test_asyncio(self) -> None:
        self.run_all(ASYNCIO, "import asyncio\n", imports=[ASYNC])

    def test_errors_name_their_line(self) -> None:
        run = self.host.run("import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    1 / 0\nasync def g():\n    await f()\n\nasyncio.run(g())", imports=[ASYNC])
        self.assertEqual(run.report["error"]["line"], 4)
        self.assertEqual(run.report["error"]["traceback"].count('File "script.py"'), 3)

    def test_in_a_session_tasks_go_on_in_the_next_step(self) -> None:
        talk = self.host.converse(mode="session", imports=[ASYNC])
        talk.step("import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 4\nt = asyncio.create_task(f()) if False else None\nasync def begin(): return asyncio.create_task(f())\nt = await begin()\nNone")
        self.assertEqual(self.completed(talk.step("await t")), 4)
        self.assertEqual(self.completed(talk.step("x = 3\nreturn x")), 3)
        self.assertEqual(self.completed(talk.step("x + 1")), 4)
        self.assertEqual(talk.end()[2], 0)

    def test_what_was_interrupted_does_not_go_on_in_the_next_step(self) -> None:
        talk = self.host.converse(mode="session", imports=[ASYNC])
        run = talk.step(
            "import asyncio\ndef stop(): raise KeyboardInterrupt\nasync def f():\n"
            "    asyncio.get_running_loop().call_soon(stop)\n    await asyncio.sleep(0.01)\n    print('on')\nawait f()"
        )
        self.assertEqual(run.report["error"]["type"], "KeyboardInterrupt")
        run = talk.step("await asyncio.sleep(0.05)\n5")
        self.assertEqual((self.completed(run), run.stdout), (5, ""))
        self.assertEqual(talk.end()[2], 0)

    def test_a_step_whose_own_coroutine_is_closed_ends(self) -> None:
        talk = self.host.converse(mode="session", imports=[ASYNC])
        self.addCleanup(talk.end)
        closing = "import asyncio\nasyncio.get_running_loop().call_soon(asyncio.current_task().get_coro().close)\n"
        step = talk.step(f"{closing}await asyncio.Event().wait()")
        self.assertEqual((step.outcome, step.report["error"]["type"]), ("raised", "GeneratorExit"))
        step = talk.step("await asyncio.sleep(0.01)\nawait asyncio.sleep(0.01)\nresult = 2")
        self.assertEqual((step.outcome, step.report["result"], step.stderr), ("completed", 2, ""))

    def test_an_earlier_step_decides_nothing_of_a_later_ones_loop(self) -> None:
        talk = self.host.converse(mode="session", imports=[ASYNC])
        talk.step(
            "import asyncio\nloop = asyncio.get_running_loop() if False else None\nheld = []\n"
            "async def f():\n    loop = asyncio.get_running_loop()\n    loop.set_task_factory(lambda *given, **more: held.append(given))\n"
            "    return loop\nloop = await f()\nloop.run_until_complete = loop.run_forever = loop.is_closed = lambda *given: 'forged'"
        )
        run = talk.step("await asyncio.sleep(0)\nprint('ran')\n[5, len(held)]")
        self.assertEqual((self.completed(run), run.stdout), ([5, 0], "ran\n"))

    def test_a_loop_leads_nowhere(self) -> None:
        loop = "import asyncio\nasync def f(): return asyncio.get_running_loop()\nloop = asyncio.run(f())\n"
        for code in (
            "import asyncio\nasyncio.open_connection",
            "import asyncio\nasyncio.create_subprocess_exec",
            "import asyncio\nasyncio.subprocess",
            "import asyncio\nasyncio.events",
            "import asyncio\nasyncio.sys",
            "import asyncio\nasyncio.base_events",
            "from asyncio import events",
            "from asyncio import selector_events",
            "from asyncio.events import new_event_loop",
            "import asyncio.subprocess",
            "import asyncio\nasyncio.get_event_loop_policy()",
            "import asyncio\nasync def f(): return [t.get_stack() for t in asyncio.all_tasks()]\nawait f()",
            "import asyncio\nasync def f(): return [getattr(t, 'get_' + 'stack')() for t in asyncio.all_tasks()]\nawait f()",
            "import asyncio\nasync def f(): return '{0.get_stack}'.format(asyncio.current_task())\nawait f()",
            loop + "loop._run_once",
            loop + "loop._ready",
            loop + "getattr(loop, '_' + 'run_once')",
            loop + "loop._run_once = print",
            loop + "type(loop).call_soon = print",
            loop + "loop.call_soon.__globals__",
            loop + "getattr(loop.call_soon, '__glo' + 'bals__')",
            "import asyncio\nasync def f(): pass\nc = f()\ngetattr(c, 'cr_' + 'frame')",
            "import asyncio\nasync def f(): await asyncio.sleep(1)\nasync def g():\n    t = asyncio.create_task(f())\n    await asyncio.sleep(0)\n    return getattr(t.get_coro(), 'cr_' + 'await')\nawait g()",
            "import asyncio\nasyncio.Runner()._loop",
            "import asyncio\nasyncio.gather.__closure__",
            "import asyncio\nasyncio.Task._asyncio_future_blocking",
        ):
            with self.subTest(code):
                run = self.host.run(code, imports=[ASYNC])
                self.assertIn(run.outcome, ("rejected", "raised"), run.report)
        for call in (
            "loop.subprocess_exec(None, 'ls')", "loop.create_connection(None, 'a', 1)", "loop.getaddrinfo('a', 1)",
            "loop.connect_read_pipe(None, None)", "loop.sock_recv(None, 1)", "loop.start_tls(None, None, None)",
        ):
            run = self.host.run(
                f"import asyncio\nasync def f():\n    loop = asyncio.get_running_loop()\n    await {call}\nawait f()", imports=[ASYNC]
            )
            self.assertEqual(run.report["error"]["type"], "NotImplementedError")
        run = self.host.run("import asyncio\nasync def f(): asyncio.get_running_loop().add_reader(0, print)\nawait f()", imports=[ASYNC])
        self.assertEqual(run.report["error"]["type"], "NotImplementedError")


class Answers(Case):
    def told(self, code: str) -> Run:
        talk = self.host.converse(tools=TOOLS, inputs="context", imports=[ASYNC, "json"])
        run = talk.step(code)
        self.assertEqual(talk.end(), (b"", b"", 0))
        return run

    def result(self, code: str) -> Any:
        return self.completed(self.told(code))

    def test_a_call_can_be_awaited_or_not(self) -> None:
        call = "call_tool('add', {'a': 1, 'b': 2})"
        for code, expected in (
            (f"{call}.sum", 3),
            (f"x = await {call}\nx.sum", 3),
            (f"x = await context.{call.replace('call_tool', 'tools.call')}\nreturn x['sum']", 3),
            ("[await call_tool('nothing'), await call_tool('yes')]", [None, True]),
            ("await call_mcp('git-hub', 'search', {'q': 1})", {"q": 1}),
            ("call_mcp('git-hub', 'search')", {}),
            ("await context.tools.call_mcp('git-hub', 'search')", {}),
            ("[call_mcp('a-b', 'c.d'), await call_tool('k-l/m'), 'k-l/m' in context.tools]", [7, 8, True]),
            (f"async def main(): return (await {call}).sum\nawait main()", 3),
            (f"import asyncio\nasync def main(): return (await {call}).sum\nasyncio.run(main())", 3),
            (f"import asyncio\n[x and x.sum for x in await asyncio.gather({call}, call_tool('nothing'), {call})]", [3, None, 3]),
            (f"import asyncio\n(await asyncio.wait_for({call}, 5)).sum", 3),
            (f"import asyncio\nt = asyncio.create_task({call})\n(await t).sum", 3),
            (f"import asyncio\nasync with asyncio.TaskGroup() as g:\n    t = g.create_task({call})\nt.result().sum", 3),
            (f"import asyncio\n[(await x).sum for x in asyncio.as_completed([{call}, {call}])]", [3, 3]),
            (f"import asyncio\ndone, _ = await asyncio.wait([{call}])\n[t.result().sum for t in done]", [3]),
            (f"import asyncio\n(await asyncio.shield({call})).sum", 3),
            ("import asyncio\n(await asyncio.to_thread(call_tool, 'add', {'a': 1, 'b': 2})).sum", 3),
        ):
            with self.subTest(code):
                self.assertEqual(self.result(code), expected)

    def test_a_failure_is_raised_where_it_is_awaited(self) -> None:
        call, kinds = "call_tool('fail')", "return [type(x).__name__ for x in got]"
        asked = "import asyncio\ntry:\n    x = {0}\nexcept ToolError as e:\n    return e.tool\nreturn_exceptions = 1"
        for code, expected in (
            (f"import asyncio\ngot = await asyncio.gather({call}, call_tool('yes'), return_exceptions=True)\n{kinds}", ["ToolError", "bool"]),
            (f"import asyncio\nts = [{call} for _ in range(2)]\ngot = await asyncio.gather(*ts, return_exceptions=True)\n{kinds}", ["ToolError"] * 2),
            (f"import asyncio\nt = asyncio.create_task({call})\ntry:\n    await t\nexcept ToolError as e: return e.tool", "fail"),
            (asked.format(f"await {call}"), "fail"),
            *((asked.format(f"{call}{use}"), "fail") for use in ("['a']", ".a", " == 1", "()", " + ''")),
            *((asked.format(use.format(call)), "fail") for use in ("str({})", "len({})", "bool({})", "list({})", "f'{{{}}}'", "{{{}}}")),
        ):
            with self.subTest(code):
                self.assertEqual(self.result(code), expected)
        code = f"import asyncio\nasync with asyncio.TaskGroup() as g:\n    g.create_task({call})"
        self.assertIn("ToolError: fail: the host's words", self.told(code).report["error"]["message"])
        run = self.told(f"import asyncio\nreturn_exceptions = True\nx = {call}\nx is None")
        self.assertEqual(run.report["error"]["type"], "ToolError")

    def test_an_error_is_caught_by_its_name(self) -> None:
        for call in ("call_tool('fail')", "await call_tool('fail')"):
            code = f"try:\n    {call}\nexcept ToolError as e:\n    return [e.tool, e.message, str(e), ToolError is context.tools.ToolError]"
            self.assertEqual(self.result(code), ["fail", "fail: the host's words", "fail: the host's words", True])
        code = "try: raise ToolError('my words', tool='t')\nexcept ToolError as e: x = [e.message, e.tool, ToolError().message]\nx"
        self.assertEqual(self.result(code), ["my words", "t", ""])

    def test_what_is_no_answer_is_not_awaited(self) -> None:
        run = self.host.run("await object()", inputs="context")
        self.assertIn("can't be used in 'await' expression", run.error)
        for code in ("await 5", "await None"):
            self.assertEqual(self.host.run(code).report["error"]["type"], "TypeError")

    def test_names_of_mcp_are_texts(self) -> None:
        self.assertEqual(self.host.run("call_mcp(1, 'x')", inputs="context").report["error"]["type"], "TypeError")
        self.assertEqual(self.host.run("call_mcp('s')", inputs="context").report["error"]["type"], "TypeError")

    def test_the_tools_can_be_listed(self) -> None:
        self.assertEqual(self.result("[sorted(context.tools) == sorted(context.tools.names), 'add' in context.tools, len(context.tools)]"), [True, True, 7])

    def test_the_workflow_and_the_log(self) -> None:
        run = self.host.run(
            "context.log('a', 1)\ncontext.log.warning('b', rows=2)\ncontext.log('error', 'c')\ncontext.log('d', level='debug')\ncontext.log('error')\n"
            "[context.workflow.id, context.workflow['name']]",
            {"workflow": {"id": "w1", "name": "nightly"}},
            inputs="context",
        )
        self.assertEqual(self.completed(run), ["w1", "nightly"])
        self.assertEqual(run.stdout, "INFO a 1\nWARNING b rows=2\nERROR c\nDEBUG d\nINFO error\n")
        self.assertEqual(self.completed(self.host.run("[context.workflow.id, context.workflow.name]", inputs="context")), [None, None])
        self.assertIn("one of debug", self.host.run("context.log('x', level='loud')", inputs="context").error)
