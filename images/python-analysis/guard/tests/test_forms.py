"""What the guard says of a text that may not be all of a script, between two scripts of a session."""

from __future__ import annotations

import contextlib
import unittest
import warnings

from hotcell_guard.vetting._vet import form
from tests.host import Conversation, Host, frame

FORMS = {
    "open": (
        *("f(1,\n", "f(1,\n\n\n", "x = [ # ]\n", "x = {'a': {\n", "def f(\n  a,\n", "if x:\n  y(\n", "lambda: (\n", "d = {'a'\n\n"),
        *("s = '''a\n", 's = """a\n\n\n', "s = '''it's (\n", "s = 'ends in \\\n", "def f(): '\\\n", "if x:\n  '''\n", "\"\"\"\n'''\n"),
        *("x = f'''{d['(']\n", "x = f'{\n", "x = f'''{\n", "x = rf'''{f'{'('}'}\n"),
        *("x = 1 + \\\n", "x = 1\\", "\\\n", "with a as b, \\\n", "return (\n", "x = (yield\n", "await (\n", "(" * 100 + "\n"),
    ),
    "head": (
        *("if x:\n", "if x:\n\n\n", "if x:\n  # c\n", "else_ = 1\nfor x in y:\n", "while x: # (\n", "class A:\n  def f(self):\n"),
        *("def f():\n", "async def f():\n", "async with a as b:\n", "class A(B):\n", "with a, b:\n", "match x:\n", "match x:\n  case 1:\n"),
        *("@d\n", "@d\n\n\n", "@d\n@e(\n)\n# c\n", "class A:\n  @d\n"),
        *("try:\n", "try:\n  y\n", "try:\n  y\n\n\n", "try:\n  y\nexcept E:\n", "for x in y:\n  pass\nelse:\n", "try: x\nfinally:\n"),
    ),
    "block": (
        *("def f():\n  a = 1\n\n  return a\n", "def f():\n  return\n\n\n", "if x: y\n", "if x:\n  y\nelse:\n  z\n", "class A: pass\n"),
        *("try:\n  y\n\nfinally:\n  z\n", "match x:\n  case 1:\n    y\n", "match x:\n  case 1: y\n", "x = 1\nif x: y\n# c\n"),
        *("@d\ndef f(): # a comment\n  s = '''\nx\n'''\n", "async def f():\n  pass\n# c\n\n", "for x in y: pass\n", "while x: y\n"),
    ),
    "whole": (
        *("x = 1\n", "x = 1", "", "\n", " \n", "# (\n", "await f(); return 1\n", "yield\n", "s = '('\n", "d[1:]\n", "match = 1\n"),
        *("match(x)\n", "f(1,\n\n\n2)\n", "s = '''it's (\n\n\n'''\n", "x = 1 + \\\n2\n", "x = f\"{\"(\"} {d[\"a\"]} {{\"\n", "type X = int\n"),
        *("x = rf'{f'{'('}'}' + '{('\n", "def f():\n  a\n\nf()\n", "if x: y\nz\n", "(lambda: 1)\n", "x = a if b else c\n", "import os\n"),
        *("x = '\\d'\n", "x is 1\n", "eval('1')\n", "global x\n"),
    ),
    "invalid": (
        *("x:\n", "if x\n", "x)(\n", "  x = 1\n", "s = 'not closed (\n", "x = 1 + \\\n\n", "x = [1 2\n", "else:\n", "%time x\n", "!ls\n"),
        *("def f():\n  x = = 1\n", "if x:\n    y\n  z\n", "if x:\n\ty\n        z\n", "x = a if b\n", "0_\n", "x = f'{a b}'\n"),
        *("\0", "x = 1\r2", "\ufeffx\n", "# coding: latin-1\nx\n", "x = '\u202e'\n"),
        *("(" * 300 + "\n", "-" * 100_000 + "1\n", "x = " + "f\"{f'{" * 100 + "\n", "x" + ".a" * 80_000 + "\n", "a" + "[0]" * 80_000 + "\n"),
    ),
}


class Forms(unittest.TestCase):
    def test_a_text_is_what_python_makes_of_it(self) -> None:
        for want, texts in FORMS.items():
            for text in texts:
                with self.subTest(text[:60]):
                    self.assertEqual(form(text.encode()), want)

    def test_what_is_no_text_is_invalid(self) -> None:
        self.assertEqual(form(b"x = '\xff'\n"), "invalid")

    def test_nothing_is_warned_of(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(form(b"x = '\\d'; x is 1; assert (x, 1)\n"), "whole")
            self.assertEqual(form(b"x = '\\d'; f(1 is 1,\n"), "open")


class Questions(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def asked(self, talk: Conversation, text: str) -> str:
        talk.send("Q", text.encode())
        return talk.answer()

    def test_it_answers_between_its_scripts_and_before_the_first_one(self) -> None:
        talk = self.host.converse(mode="session", code_bytes=1 << 20)
        talk.hello()
        for _ in range(2):
            for want, texts in FORMS.items():
                self.assertEqual([self.asked(talk, text) for text in texts], [want] * len(texts))
            run = talk.step("x = 1\nx")
            self.assertEqual((run.kinds, run.report["result"]), ("YR", 1))
        self.assertEqual(talk.end(), (b"", b"", 0))

    def test_nothing_of_a_text_is_run_or_known(self) -> None:
        talk = self.host.converse(mode="session")
        talk.step("x = 1")
        self.assertEqual(self.asked(talk, "x = 2; print(x)\n"), "whole")
        self.assertEqual(self.asked(talk, "int = str\n"), "whole")
        run = talk.step("print(int('1') + x)\n1/0")
        self.assertEqual((run.stdout, run.stderr), ("2\n", ""))
        self.assertIn('File "step-2.py", line 2', run.report["error"]["traceback"])

    def test_code_may_follow_at_once(self) -> None:
        talk = self.host.converse(mode="session")
        talk.step("x = 1")
        talk.send("Q", b"f(")
        self.assertEqual(talk.step("x").kinds, "VYR")

    def test_what_a_script_has_left_does_not_decide_what_is_said(self) -> None:
        talk = self.host.converse(mode="session", code_bytes=1 << 20)
        left = (
            "from concurrent.futures import ThreadPoolExecutor\nimport time\n"
            "def left():\n    try:\n        yield 1\n    finally:\n        print('ended')\n"
            "def again():\n    while True:\n        kept = [left()]\n        kept.append(kept)\n        next(kept[0])\n"
            "        time.sleep(0.001)\n"
            "ThreadPoolExecutor(1).submit(again)\nNone"
        )
        run = talk.step(left)
        self.assertEqual((run.outcome, run.report["violations"]), ("completed", []))
        for want, texts in FORMS.items():
            self.assertEqual([self.asked(talk, text) for text in texts], [want] * len(texts))
        self.assertEqual(talk.step("1").report["result"], 1)

    def test_a_question_is_bounded(self) -> None:
        talk = self.host.converse(mode="session", code_bytes=10)
        talk.step("1")
        self.assertEqual(self.asked(talk, "x" * 10), "whole")
        with contextlib.suppress(BrokenPipeError):
            talk.send("Q", b"x" * 11)
        self.assertIn(b"over the limit of 10", talk.end()[1])
        talk = self.host.converse(mode="session", code_bytes=1 << 20)
        talk.hello()
        with contextlib.suppress(BrokenPipeError):
            talk.send("Q", b" " * ((256 << 10) + 1))
        self.assertIn(b"over the limit of 262144", talk.end()[1])

    def test_only_a_session_is_asked(self) -> None:
        talk = self.host.converse(mode="run")
        talk.send("Q", b"x")
        self.assertIn(b"expected a frame of type b'C', got b'Q'", talk.end()[1])

    def test_nobody_asks_while_a_script_waits_for_a_tool(self) -> None:
        talk = self.host.converse(mode="session", inputs="context", tools={"f": lambda given: talk.send("Q", b"x")})
        talk.step("context.tools.call('f')")
        self.assertIn(b"expected a frame of type b'A', got b'Q'", talk.end()[1])


class Frames(unittest.TestCase):
    def test_an_answer_is_one_frame(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        talk = host.converse(mode="session")
        talk.send("Q", b"f(")
        self.assertEqual(talk.end()[0].partition(b"V")[2], frame("V", b"open")[1:])
