"""Mode check: the vetting alone."""

from __future__ import annotations

import unittest

from tests.host import Host

TABLE = {"name": "visits", "path": ".tables/nothing.table"}


class Checks(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_an_acceptable_script_is_vetted_and_nothing_runs(self) -> None:
        run = self.host.run("open(OUTPUT / 'x', 'w')\nprint(1)\nimport pandas", mode="check", tables=[TABLE])
        self.assertEqual((run.kinds, run.outcome, run.code, run.raw_stderr), ("HR", "vetted", 0, b""))
        self.assertEqual((run.report["violations"], run.report["error"], run.report["result"]), ([], None, None))
        self.assertEqual(list(self.host.output.iterdir()), [])

    def test_findings_are_those_of_a_run(self) -> None:
        code = "import os\neval('1')\nx.__globals__"
        checked = self.host.run(code, mode="check")
        self.assertEqual((checked.kinds, checked.outcome, checked.code), ("HR", "rejected", 0))
        self.assertEqual(checked.report["violations"], self.host.run(code).report["violations"])
        self.assertEqual(len(checked.report["violations"]), 3)

    def test_names_that_stay_are_found_too(self) -> None:
        code = "print = 3\nlookup = 4"
        checked = self.host.run(code, {}, mode="check", inputs="names", tools=["lookup"])
        self.assertEqual(checked.rules, ["name.reserved"] * 2)

    def test_takes_no_second_script(self) -> None:
        talk = self.host.converse(mode="check")
        self.assertEqual(talk.step("1").outcome, "vetted")
        self.assertEqual((talk.guard.wait(timeout=30), talk.end()[0]), (0, b""))
