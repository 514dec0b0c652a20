"""Modules that the script finds by name, also where no import statement is allowed."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host

MODULES = [
    {"name": "pd", "module": "pandas"},
    {"name": "np", "module": "numpy"},
    {"name": "plt", "module": "matplotlib.pyplot"},
    {"name": "re", "module": "re"},
    {"name": "math", "module": "math"},
]
NO_IMPORT = ["Import", "ImportFrom"]


class Preloaded(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_code(self, code: str, **changes: Any) -> Any:
        return self.host.run(code, **{"preloaded": MODULES, "imports": [], "denied_syntax": NO_IMPORT, **changes})

    def test_are_there_without_an_import(self) -> None:
        run = self.run_code(
            "import_free = pd.DataFrame({'x': np.arange(3)})\nplt.plot([1, 2])\n"
            "result = [int(import_free.x.sum()), math.floor(2.5), re.sub('a', 'b', 'aa')]"
        )
        self.assertEqual((run.outcome, run.report["result"]), ("completed", [3, 2, "bb"]), run.error)
        self.assertEqual(len(run.report["charts"]), 1)

    def test_import_statements_are_refused_where_the_policy_denies_them(self) -> None:
        run = self.run_code("import math\nfrom re import sub")
        self.assertEqual((run.outcome, set(run.rules)), ("rejected", {"syntax.denied"}))

    def test_do_not_widen_what_may_be_imported(self) -> None:
        self.assertEqual(self.run_code("import numpy", denied_syntax=[]).rules, ["import.denied"])

    def test_are_views(self) -> None:
        for path in ("re.enum", "np.os", "pd.io.common.os", "re._compiler", "plt.matplotlib._api"):
            run = self.run_code(f"{path}")
            self.assertIn(run.outcome, ("rejected", "raised"), path)

    def test_are_there_in_each_step(self) -> None:
        talk = self.host.converse(mode="session", preloaded=MODULES, imports=[], denied_syntax=NO_IMPORT)
        self.assertEqual(talk.step("import re").outcome, "rejected")
        self.assertEqual(talk.step("math.floor(2.5)").report["result"], 2)
        self.assertEqual(talk.step("int(np.sum([1, 2]))").report["result"], 3)

    def test_one_that_cannot_be_imported_is_named(self) -> None:
        run = self.run_code("1", preloaded=[{"name": "sk", "module": "torch.nn"}])
        self.assertEqual((run.kinds, run.outcome, run.code), ("HR", "guard_failed", 0))
        self.assertEqual(
            (run.report["error"]["type"], run.report["error"]["message"]),
            ("ModuleFault", "module 'torch.nn', preloaded as 'sk', cannot be imported in this image"),
        )
