"""What ordinary scripts do with streams, text that they evaluate, ends and their own classes; and what that must not give."""

from __future__ import annotations

import unittest
from typing import Any

from hotcell_guard.vetting import _rules, _vet
from hotcell_guard.vetting._violations import Refused
from tests.host import Host, Run

IMPORTS = "atexit builtins contextlib functools gc io json math operator os pathlib platform sys timeit types typing weakref pandas".split()

HARMLESS = {
    "functions tell their parameters": (
        """
import functools
def curry(function):
    most = function.__code__.co_argcount
    return lambda *given: function(*given) if len(given) >= most else curry(functools.partial(function, *given).func)
def two(a, b, *, c=1):
    inner = a
    return [x for x in range(inner)]
class K:
    __slots__ = ()
    def method(self, q): pass
code = "two"
print(two.__code__.co_varnames[: two.__code__.co_argcount], two.__code__.co_kwonlyargcount, two.__code__.co_name)
print("inner" in two.__code__.co_varnames, K().method.__code__.co_argcount, curry(lambda x, y: x + y)(1, 2))
print(hasattr(K(), "__dict__"), getattr(K(), "__dict__", 3), hasattr(K, "__dict__"), hasattr(two, "__dict__"))
try: K().__dict__
except AttributeError as error: print(error)
""",
        "('a', 'b') 1 two\nTrue 2 3\nFalse 3 True True\n'K' object has no attribute '__dict__'\n",
    ),
    "hints tell their parts": (
        """
import typing
T = typing.TypeVar("T")
class Box(typing.Generic[T]): pass
class Numbers(Box[int]): pass
class Plain(Numbers): pass
print(Numbers.__orig_bases__[0].__args__, dict[str, int].__args__, (int | None).__args__, typing.Annotated[int, 3].__metadata__)
print(hasattr(int, "__orig_bases__"), getattr(Plain, "__orig_bases__", "none of its own"))
""",
        "(<class 'int'>,) (<class 'str'>, <class 'int'>) (<class 'int'>, <class 'NoneType'>) (3,)\nFalse none of its own\n",
    ),
    "paths differ by case": (
        """
import pathlib, platform
from pathlib import Path
print(Path("A") == Path("a"), sorted(map(Path, "bAa")), len({Path("x"), Path("X")}), Path("B") < Path("a"))
print(pathlib.PureWindowsPath("A") == pathlib.PureWindowsPath("a"), Path("/x").is_absolute(), Path("x").is_absolute())
print(pathlib.PurePath("x") == Path("x"), platform.system())
""",
        "False [PosixPath('A'), PosixPath('a'), PosixPath('b')] 2 True\nTrue True False\nTrue Linux\n",
    ),
    "streams are replaced and put back": (
        """
import io, sys
old, sys.stdout = sys.stdout, io.StringIO()
print("kept")
text, sys.stdout = sys.stdout.getvalue(), old
setattr(sys, "stderr", sys.stdout)
print(repr(text), file=sys.stderr)
sys.stderr = sys.__stderr__
sys.stdin = io.StringIO("3\\nfour\\n")
print(input("a number: "), sys.stdin.readline())
try: input()
except EOFError as error: print(error)
sys.stdout = sys.__stdout__
sys.stdout.reconfigure(encoding="utf-8")
for part in ("ä".encode()[:1], "ä".encode()[1:] + b"\\n"): sys.stdout.buffer.write(part)
""",
        "'kept\\n'\na number: 3 four\n\nEOF when reading a line\nä\n",
    ),
    "the standard input is at its end": (
        "import sys\nprint(sys.stdin.isatty(), repr(sys.stdin.read()), list(sys.stdin), sys.stdin.readline() == '')\n"
        "try: input('who? ')\nexcept EOFError as error: print(error)",
        "False '' [] True\nwho? there is nobody to ask; put the value into the script\n",
    ),
    "expressions": (
        """
import math
names = {"sqrt": math.sqrt, "x": 9}
def two(a):
    b = 2
    return eval("a * b"), eval("[a for _ in range(b)]")
print(eval(" 1 + 2"), eval("sqrt(x)", {"__builtins__": {}}, names), two(4), list(map(eval, ["1+1", "2*3"])))
for text in ("open('x')", "1 +", "1 / 0", "y"):
    try: eval(text, {"__builtins__": {}}, names)
    except Exception as error: print(type(error).__name__)
code = compile("n + 1", "a", "eval")
print([eval(code, {"n": n}) for n in (1, 2)], eval("lambda q: q + 1")(1), eval("x", globals(), {"x": 5}))
""",
        "3 3.0 (8, [4, 4]) [2, 6]\nNameError\nSyntaxError\nZeroDivisionError\nNameError\n[2, 3] 2 5\n",
    ),
    "statements": (
        """
names = {"start": 1}
exec("class P:\\n    def __init__(self, v): self._v = v\\n    def get(self): return self._v\\np = P(start)", names)
exec("start += 1\\ngone = 1\\ndel gone", names)
print(names["p"].get(), names["P"](5).get(), names["start"], "gone" in names)
for i in range(2): exec(f"made{i} = {i}")
exec("import json\\nprint(json.dumps([1]))", globals())
print(made0, made1)
kept = {}
exec("k = start + 1", names, kept)
print(kept)
""",
        "1 5 2 False\n[1]\n0 1\n{'k': 3}\n",
    ),
    "texts are timed": (
        """
import timeit
def f(n): return n
print(timeit.timeit("f(x)", "x = 3", globals=globals(), number=3) >= 0, timeit.timeit("[y for y in d]", "d = [1]", number=2) >= 0)
print(len(timeit.repeat("pass", repeat=2, number=1)), timeit.Timer(lambda: f(1)).timeit(2) >= 0)
""",
        "True True\n2 True\n",
    ),
    "ends": (
        """
import atexit, gc, weakref
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
class B(A):
    def __del__(self): super().__del__()
atexit.register(print, "last")
@atexit.register
def first(): print("first")
a = B(1)
weakref.finalize(a, print, "finalized")
del a
b = A(2)
end = weakref.finalize(b, print, "at the end")
print(end.alive, end.peek()[0] is b, gc.isenabled(), gc.collect() >= 0)
""",
        "gone 1\nfinalized\nTrue True True True\nat the end\nfirst\nlast\n",
    ),
    "classes and functions of its own": (
        """
class P:
    def m(self, a=1, *, k=2): return a
class A(P): pass
class B(A): pass
m = P().m
print([c.__name__ for c in P.__subclasses__()], [c.__name__ for c in B.mro()], P.m.__defaults__, P.m.__kwdefaults__)
print(type(m.__self__).__name__, m.__func__ is P.m, __file__.rpartition("/")[2])
P.m.__kwdefaults__["k"] = 3
print(P.m.__kwdefaults__)
import types, builtins
print(isinstance(m, types.MethodType), isinstance(P.m, types.FunctionType))
print(types.MethodType(lambda self: 5, m)(), builtins.max(1, 2))
""",
        "['A'] ['B', 'A', 'P', 'object'] (1,) {'k': 2}\nP True script.py\n{'k': 2}\nTrue True\n5 2\n",
    ),
}

REFUSED = {
    "the guard's stream": "sys.stdout.write.__self__",
    "its bytes": "sys.stdout.buffer.write.__self__",
    "the bytes' function": "setattr(sys.stdout.buffer, 'write', print)",
    "the sink's function": "sys.stdout.write.__func__",
    "a module behind a function": "math.sqrt.__self__",
    "the module of builtins": "len.__self__",
    "a library's method": "pd.Series([1]).sum.__self__",
    "a library's function": "pd.DataFrame.sum.__defaults__",
    "all classes": "object.__subclasses__()",
    "all exceptions": "Exception.__subclasses__()",
    "a library's classes": "pd.Series.__subclasses__()",
    "a library's order": "pd.Series.mro()",
    "a bound mro": "operator.methodcaller('mro')(pd.Series)",
    "a library's finalizer": "io.StringIO().__del__()",
    "text that imports": "eval('__import__(\"posix\")')",
    "text that climbs": "eval('().__class__.__bases__[0].__subclasses__()')",
    "text that imports more": "exec('import posix')",
    "text in text": "exec('exec(\"import posix\")')",
    "text with a private name": "eval('json.loads.__globals__')",
    "the builtins as a name": "eval('__builtins__')",
    "builtins of the script's": "eval('__import__(\"posix\")', {'__builtins__': {'__import__': 1}})",
    "what the script binds": "exec('held = 1')",
    "a builtin": "exec('int = str')",
    "a builtin in a text": "exec('exec(\"int = str\")')",
    "a builtin in a text with names": "exec('exec(\"int = str\")', {})",
    "a builtin by an expression": "exec('eval(\"(int := str)\")', {})",
    "a builtin by what was compiled": "exec('exec(compile(\"int = str\", \"\", \"exec\"))', {})",
    "a builtin by a function that is given": "exec('list(map(exec, [\"int = str\"]))', {})",
    "another super": "exec('x = 1', {'super': int})",
    "another super of its own": "exec('x = 1', {}, {'super': int})",
    "a text's own name": "exec('x = 1\\nexec(\"x = 2\")', {})",
    "a text's own name, deleted": "exec('x = 1\\nexec(\"del x\")', {})",
    "the text of what was compiled": "setattr(compile('1', '', 'eval'), '_text', 'x')",
    "code of Python's": "eval((lambda: 0).__code__)",
    "a text to be timed": "timeit.timeit('import posix')",
    "what code holds": "(lambda: 5).__code__.co_consts",
    "code of a library's": "pd.DataFrame.mean.__code__.co_varnames",
    "code by its facts' name": "getattr(pd.DataFrame.mean, '__code__.co_varnames')",
    "the bases of a library's class": "pd.Series.__orig_bases__",
    "a policy's function": "types.FunctionType((lambda: 0).__code__, {})",
    "what the collector knows": "gc.get_objects()",
    "and who refers": "gc.get_referrers(held)",
    "what waits": "weakref.finalize(Own(), int)._call",
    "what a stream's function writes to": "weakref.ref.__call__(weakref.WeakMethod(sys.stdout.write))",
    "what a stream's function flushes": "weakref.ref.__call__(weakref.WeakMethod(sys.stderr.flush))",
    "what takes a stream's bytes": "weakref.ref.__call__(weakref.WeakMethod(sys.stdout.buffer.flush))",
    "a method of the guard's": "weakref.WeakMethod(sys.stdout.reconfigure)",
}


class Ordinary(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_script(self, code: str, **changes: Any) -> Run:
        return self.host.run(code, **{"imports": IMPORTS, **changes})

    def test_it_runs_as_in_any_python(self) -> None:
        for name, (code, printed) in HARMLESS.items():
            with self.subTest(name):
                run = self.run_script(code)
                self.assertEqual((run.outcome, run.error, run.stdout), ("completed", "", printed), run.report)

    def test_it_gives_nothing_else(self) -> None:
        """What is refused before it runs is left out of the script that tries the others."""
        rules = _rules.Rules(frozenset(IMPORTS), frozenset(), frozenset())
        lines = [f"import {', '.join(IMPORTS[:-1])}", "import pandas as pd", "class Own: pass", "held = []"]
        head = len(lines)
        for name, expression in REFUSED.items():
            try:
                _vet.vet(f"held = 0\n{expression}".encode(), "script.py", rules)
            except Refused:
                continue
            lines += ["try:", f"    print({name!r}, {expression})", "except Exception: pass"]
        self.assertGreater(len(lines), head + 3)
        run = self.run_script("\n".join(lines))
        self.assertEqual((run.outcome, run.stdout), ("completed", ""), run.report)

    def test_text_runs_only_where_a_policy_lists_builtins(self) -> None:
        for name in ("eval", "exec", "compile"):
            run = self.run_script(f"{name}('1')", imports=["sys", "timeit"])
            self.assertEqual(run.rules, ["builtin.denied"])
            run = self.run_script(f"{name}('1')", denied_builtins=["eval", "exec", "compile"])
            self.assertEqual(run.rules, ["builtin.denied"])
        run = self.run_script("import timeit\ntimeit.timeit('1')", imports=["timeit"])
        self.assertIn("stmt of timeit is a function here", run.error)

    def test_text_keeps_what_it_holds_to_itself(self) -> None:
        """What is held between a check and its use stands in a variable that no text shares."""
        run = self.run_script(
            """
import json
class Own:
    def __init__(self): self._x = "own"
def swap(value):
    exec("class Other:\\n    def __init__(self): self._x = 1\\n(Other())._x\\n(json.loads)", {"json": json})
    return value
print((swap(Own()))._x)
try: print(swap(json.loads).__globals__)
except Exception as error: print("held")
""".replace("swap(json.loads).__globals__", "getattr(swap(json.loads), '__glo' + 'bals__')")
        )
        self.assertEqual((run.error, run.stdout), ("", "own\nheld\n"))

    def test_budgets_count_text(self) -> None:
        run = self.run_script("exec('while True: pass')", operations=100_000, loop_iterations=1000)
        self.assertEqual(run.outcome, "limit", run.report)


if __name__ == "__main__":
    unittest.main()
