"""unittest under the guard: a script tests its own code, and reaches nothing else by it."""

from __future__ import annotations

import unittest

from tests.benign import policy
from tests.host import Host, Run

IMPORTS = policy.imports("study-analysis")

CASES = """
import io, logging, unittest, warnings

def dose(weight, per_kg=2.0):
    if weight <= 0:
        raise ValueError("weight must be positive")
    return weight * per_kg

log = []
def setUpModule(): log.append("begun")

class TestDose(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.base = 10
    def setUp(self): self.addCleanup(log.append, "cleaned")
    def test_scales(self): self.assertEqual(dose(self.base), 20.0)
    def test_refuses(self):
        with self.assertRaisesRegex(ValueError, "positive") as caught:
            dose(0)
        self.assertIsNone(caught.exception.__traceback__)
    def test_each(self):
        for weight in (1, 2, -1):
            with self.subTest(weight=weight):
                self.assertGreater(dose(abs(weight)), 0)
    def test_logs(self):
        with self.assertLogs("ward", "INFO") as caught:
            logging.getLogger("ward").info("first")
        self.assertEqual(caught.output, ["INFO:ward:first"])
    def test_warns(self):
        with self.assertWarns(UserWarning):
            warnings.warn("high")
    @unittest.skip("later")
    def test_later(self): self.fail()
    @unittest.skipIf(dose(1) == 2, "not here")
    def test_not_here(self): self.fail()
    @unittest.expectedFailure
    def test_wrong(self): self.assertEqual(dose(1), 3)
"""
BROKEN = "import unittest\nclass TestIt(unittest.TestCase):\n    def test_a(self): self.assertEqual([1, 2], [1, 3])\n"


class Tests(unittest.TestCase):
    def run_script(self, code: str) -> Run:
        host = Host()
        self.addCleanup(host.close)
        return host.run(code, imports=IMPORTS)

    def completes(self, code: str) -> Run:
        run = self.run_script(code)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        return run

    def refused(self, setup: str, *statements: tuple[str, str]) -> None:
        """Each statement must raise what stands with it: one run for all."""
        lines = [setup]
        for statement, _ in statements:
            lines += ["try:", f"    {statement}", "except BaseException as e:", "    print(repr(e))", "else:", "    print('ESCAPED')"]
        told = self.completes("\n".join(lines)).stdout.splitlines()
        self.assertEqual(len(told), len(statements))
        for (statement, said), line in zip(statements, told):
            with self.subTest(statement):
                self.assertIn(said, line)

    def test_cases_run_with_their_fixtures(self) -> None:
        run = self.completes(
            CASES + "suite = unittest.TestLoader().loadTestsFromTestCase(TestDose)\n"
            "done = unittest.TextTestRunner(stream=io.StringIO(), verbosity=2).run(suite)\n"
            "print(done.testsRun, len(done.skipped), len(done.expectedFailures), done.wasSuccessful(), log.count('cleaned'), log[0])"
        )
        self.assertEqual(run.stdout, "8 2 1 True 6 begun\n")

    def test_main_runs_the_scripts_own(self) -> None:
        run = self.completes(CASES + "print(unittest.main(argv=[''], exit=False, verbosity=0).result.testsRun)")
        self.assertEqual(run.stdout, "8\n")
        self.assertIn("Ran 8 tests in", run.stderr)
        run = self.completes(CASES + "print(unittest.main(argv=['x', 'TestDose.test_scales'], exit=False).result.testsRun)")
        self.assertEqual(run.stdout, "1\n")

    def test_main_without_exit_false_ends_the_run_by_what_the_tests_say(self) -> None:
        self.completes(CASES + "if __name__ == '__main__':\n    unittest.main()")
        run = self.run_script(BROKEN + "unittest.main()")
        self.assertEqual((run.outcome, run.error), ("raised", "SystemExit: 1"), run.report)
        self.assertIn("First differing element 1", run.stderr)

    def test_coroutines_are_tested(self) -> None:
        run = self.completes(
            "import asyncio, io, unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n"
            "    async def asyncSetUp(self): self.n = 1\n"
            "    async def test_n(self): await asyncio.sleep(0); self.assertEqual(self.n, 1)\n"
            "print(unittest.main(argv=[''], exit=False, testRunner=unittest.TextTestRunner(io.StringIO())).result.errors)"
        )
        self.assertEqual(run.stdout, "[]\n")

    def test_what_failed_is_told_by_the_scripts_lines_and_by_no_variables(self) -> None:
        run = self.completes(
            "import io, json, unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        inside = 12345\n        json.loads('{')\n"
            "s = io.StringIO()\n"
            "unittest.TextTestRunner(stream=s, tb_locals=True).run(unittest.defaultTestLoader.loadTestsFromTestCase(T))\nprint(s.getvalue())"
        )
        self.assertIn("line 5, in test_a", run.stdout)
        for inside in ("hotcell_guard", "/usr/lib", "12345", "inside ="):
            self.assertNotIn(inside, run.stdout)

    def test_a_traceback_that_a_result_is_given_leads_nowhere(self) -> None:
        run = self.completes(
            "import unittest\nclass R(unittest.TestResult):\n    def addError(self, test, err):\n"
            "        for name in ('fra' + 'me', 'ne' + 'xt', 'las' + 'ti'):\n"
            "            try: print(getattr(err[2], 'tb_' + name))\n            except AttributeError: print('closed')\n"
            "class T(unittest.TestCase):\n    def test_a(self): 1 / 0\n"
            "unittest.defaultTestLoader.loadTestsFromTestCase(T).run(R())"
        )
        self.assertEqual(run.stdout, "closed\nclosed\nclosed\n")

    def test_nothing_is_imported_or_found_by_a_name(self) -> None:
        own, foreign = "leave module out", "tests are those of the script"
        self.refused(
            "import unittest",
            ("unittest.main('os')", own),
            ("unittest.main(None, argv=['', 'discover', '/'])", own),
            ("type(unittest.main(argv=[''], exit=False))('os')", own),
            ("unittest.TestLoader().discover('/usr/lib')", foreign),
            ("unittest.main(argv=[''], exit=False).testLoader.discover('.')", foreign),
            ("unittest.case", "has no attribute 'case'"),
            ("unittest.TestProgram", "has no attribute 'TestProgram'"),
        )
        run = self.completes(
            "import unittest\nr = unittest.TestResult()\nunittest.TestLoader().loadTestsFromName('os.system').run(r)\nprint(r.errors[0][1])"
        )
        self.assertIn("tests are those of the script", run.stdout)

    def test_mock_is_refused_with_what_works(self) -> None:
        run = self.run_script("from unittest.mock import patch")
        self.assertIn("a small class or function of your own", run.report["violations"][0]["message"])

    def test_no_special_method_is_called_by_its_name(self) -> None:
        names = ("__reduce_ex__", "__getattribute__", "__subclasshook__")
        self.refused(
            "import unittest\nclass T(unittest.TestCase):\n    def runTest(self): pass\n"
            "def equal(name):\n    t = T()\n    t.addTypeEqualityFunc(int, name)\n    t.assertEqual(2, 3)",
            *((f"T({name!r})", "no such test method") for name in names),
            *((f"equal({name!r})", "cannot be read by that name") for name in names[:2]),
        )

    def test_decorators_write_into_what_is_the_scripts(self) -> None:
        decorators = ("skip('x')", "skipIf(True, 'x')", "skipUnless(0, 'x')", "expectedFailure")
        self.refused(
            "import json, unittest",
            *(
                (f"unittest.{decorator}({target})", "takes a class or function of the script's")
                for decorator in decorators
                for target in ("json.JSONEncoder", "json.dumps")
            ),
        )

    def test_a_suite_writes_into_a_result_only(self) -> None:
        said = "run() takes a unittest.TestResult"
        given = ("json.JSONEncoder", "json", "object()")
        self.refused("import json, unittest", *((f"unittest.TestSuite().run({each})", said) for each in given))

    def test_functions_and_what_could_not_be_loaded_run_in_a_suite(self) -> None:
        run = self.completes(
            "import io, unittest\ns = unittest.TestSuite([unittest.FunctionTestCase(lambda: print('hidden'))])\n"
            "print(unittest.TextTestRunner(io.StringIO(), buffer=True).run(s).wasSuccessful())"
        )
        self.assertEqual(run.stdout, "True\n")


if __name__ == "__main__":
    unittest.main()
