from __future__ import annotations

import subprocess
import sys
import unittest

from tests.host import SOURCE


class Loading(unittest.TestCase):
    def test_without_tables_no_package_is_imported(self) -> None:
        code = (
            "import sys\nfrom hotcell_guard import _session; from hotcell_guard.granting import _tables\n"
            "assert _tables.load('/bundle', []) == {}\n"
            "sys.exit(bool({'pandas', 'numpy', 'matplotlib', 'plotly', 'typing', 'dataclasses'} & sys.modules.keys()))"
        )
        run = subprocess.run([sys.executable, "-sBP", "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, b""))

    def test_hello_needs_nothing_that_the_interpreter_has_not_loaded(self) -> None:
        code = (
            "import sys, runpy\nbefore = set(sys.modules)\nimport hotcell_guard._run\n"
            "print(*sorted(set(sys.modules) - before))"
        )
        run = subprocess.run([sys.executable, "-sBP", "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True)
        loaded = set(run.stdout.decode().split())
        self.assertLessEqual({name for name in loaded if not name.startswith("hotcell_guard")}, {"__future__", "fcntl"})
