"""Names that a script of an agent's cannot take, and star imports."""

from __future__ import annotations

import unittest

from hotcell_guard.vetting import _stars
from tests.host import Host

TAKES = (
    "print = 3", "final_answer = 5", "def print(): pass", "class print: pass", "import math as print", "for print in (): pass",
    "(print := 2)", "[0 for i in (1,) if (print := i)]", "del print", "with open('a', 'w') as print: pass", "print, x = 1, 2",
    "print += 1", "if 1:\n    try: pass\n    except ValueError as print: pass", "match 1:\n    case print: pass", "print: int = 1",
    "match [1]:\n    case [*print]: pass", "match {}:\n    case {**print}: pass", "from math import pi as print",
    "def f(x=(print := 5)): pass", "@(print := len)\ndef f(): pass", "class A(print := object): pass", "lambda x=(print := 1): x",
    "def f():\n    global print\n    print = 1", "def f(*, x=(print := 5)): pass",
)  # fmt: skip
LEAVES = (
    "def f(print): return print\nf(1)", "[print for print in (1,)]", "(lambda print: print)(1)", "x = print", "len = 3",
    "class A:\n    print = 1", "def f():\n    print = 1\n    return print\nf()", "{print: 1 for print in (1, 2)}",
)  # fmt: skip
SHOWN = "import {0}\n[n for n in {1!r} if not hasattr({0}, n) or type(getattr({0}, n)) is type({0}) and n not in ('np', 'plt', 'ma', 'mlab')]"


class Reserved(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_names_that_later_steps_need(self) -> None:
        for code in TAKES:
            with self.subTest(code):
                run = self.host.run(code, {}, inputs="names", answer="last")
                self.assertEqual({each["rule"] for each in run.report["violations"]}, {"name.reserved"})
        for code in LEAVES:
            with self.subTest(code):
                self.assertEqual(self.host.run(code, {}, inputs="names", answer="last").outcome, "completed")
        self.assertEqual(self.host.run("print = 3").outcome, "completed")

    def test_star_imports_bind_what_is_shown(self) -> None:
        modules = sorted(_stars.NAMES)
        code = "".join(f"{SHOWN.format(name, _stars.NAMES[name].split())}\n" for name in modules)
        for line, name in zip(code.split("\n")[1::2], modules):
            with self.subTest(name):
                run = self.host.run(f"import {name}\n{line}", imports=modules)
                self.assertEqual(run.report["result"], [])
                self.assertEqual(self.host.run(f"from {name} import *", imports=modules).outcome, "completed")
        run = self.host.run("from math import *\nfrom datetime import *\n[floor(2.5), date(2024, 1, 2)]", imports=modules)
        self.assertEqual(run.report["result"], [2, "2024-01-02"])
        self.assertEqual(self.host.run("from math import *", imports=["json"]).outcome, "rejected")
