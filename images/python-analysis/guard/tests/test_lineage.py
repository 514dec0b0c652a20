"""What a script reads of the making of its own classes and functions, and that it learns nothing of a library's."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import IMPORTS, Host

OWN = """
import abc, dataclasses, functools, json, typing, pandas as pd
class Heir(pd.DataFrame): pass
class A: pass
class B(A, abc.ABC): pass
class P(typing.Protocol): pass
class Meta(type): pass
class E(ValueError): pass
def around(f):
    @functools.wraps(f)
    def g(*a): return f(*a)
    return g
@around
def f(x): return x
@functools.lru_cache
def cached(x): return x
@dataclasses.dataclass
class D:
    a: int
    b: int = 2
"""
READ = {
    "[c.__name__ for c in B.__mro__]": ["B", "A", "ABC", "object"],
    "[c.__name__ for c in B.__bases__], P.__mro__[1].__name__, E.__mro__[1] is ValueError": [["A", "ABC"], "Protocol", True],
    "f.__wrapped__(3), cached.__wrapped__(4), f.__wrapped__ is f": [3, 4, False],
    "list(D.__dataclass_fields__), D(1).__dataclass_fields__['b'].default, hasattr(A, '__dataclass_fields__')": [["a", "b"], 2, False],
    "[getattr(B, '__' + 'mro__')[-1] is object, hasattr(str, '__mro__'), hasattr(json.JSONEncoder, '__mro__')]": [True, True, False],
    "[c.__name__ for c in Heir.__mro__][:4], Heir.__mro__[1] is pd.DataFrame, Heir.__bases__ == (pd.DataFrame,)": [
        ["Heir", "DataFrame", "NDFrame", "PandasObject"], True, True
    ],
    "[[n for n in dir(c) if not n.startswith('_')] for c in Heir.__mro__[2:]], {c.__dict__ is None for c in B.__mro__[:1]}": [
        [[]] * 6, [False]
    ],
    "Meta.__mro__[1] is type, Meta.__bases__[0] is type, len(Meta.__mro__)": [True, True, 3],
    "[c.__name__ for c in bool.__mro__], object.__bases__": [["bool", "int", "object"], []],
    "(D.__dataclass_fields__.clear(), len(dataclasses.fields(D)))[1]": 2,
}
REFUSED = (
    "object.__subclasses__()",
    "int.mro()[1].__subclasses__()",
    "Heir.__mro__[2].__init__.__globals__",
    "Heir.__mro__[2]._constructor",
    "Heir.__mro__[3].__subclasses__()",
    "Heir.__mro__[2].__mro__",
    "setattr(Heir.__mro__[2], 'named', 1)",
    "type(Heir.__mro__[2]).__mro__",
    "type(A).__mro__",
    "pd.DataFrame.__mro__",
    "json.JSONEncoder.__bases__",
    "A().__mro__",
    "pd.read_csv.__wrapped__",
    "functools.partial(f).__wrapped__",
    "type('Said', (), {'__getattr__': lambda self, name: 1})().__wrapped__",
    "getattr(B, '__base__')",
    "B.__mro__[-1].__subclasses__",
    "f.__wrapped__.__globals__",
    "f.__wrapped__.__code__",
    "A.__dataclass_fields__",
    "'{0.__mro__}'.format(pd.DataFrame)",
    "'{0.__wrapped__}'.format(pd.read_csv)",
    "pd.eval('B.__mro__')",
)
SET = ("A.__bases__ = (D,)", "f.__wrapped__ = len", "D.__dataclass_fields__ = {}", "setattr(A, '__mro__', ())", "del f.__wrapped__")


class Lineage(unittest.TestCase):
    def run_one(self, code: str) -> Any:
        host = Host()
        self.addCleanup(host.close)
        return host.run(f"{OWN}import json, pandas as pd\n{code}", imports=[*IMPORTS, "abc"])

    def test_own_classes_and_functions_tell(self) -> None:
        lines = "\n".join(f"told.append(({expression}))" for expression in READ)
        run = self.run_one(f"told = []\n{lines}\nresult = told")
        self.assertEqual((run.outcome, run.report["result"]), ("completed", list(READ.values())), run.report)

    def test_others_do_not(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        talk = host.converse(mode="session", imports=[*IMPORTS, "abc"])
        self.assertEqual(talk.step(f"{OWN}import json, pandas as pd").outcome, "completed")
        for line in (*(f"print({each})" for each in REFUSED), *SET):
            with self.subTest(line):
                run = talk.step(line)
                self.assertEqual((run.outcome in ("raised", "rejected"), run.stdout), (True, ""), run.report)

    def test_nobody_is_asked_when_the_script_runs_and_not_before(self) -> None:
        self.assertEqual(self.run_one("if False: input('a')\nresult = 1").report["result"], 1)
        run = self.run_one("try:\n    x = input('a')\nexcept EOFError as e:\n    x = str(e)\nresult = x")
        self.assertIn("there is nobody to ask; put the value", run.report["result"])
        run = self.run_one("input()")
        self.assertEqual(run.report["error"]["type"], "EOFError")


if __name__ == "__main__":
    unittest.main()
