"""The corpora as tests: one in ten of the docstring examples, and of the scripts that
analysts and models write; all others. ``scripts/benign.sh`` runs all of both.
"""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVERY = 10


class Benign(unittest.TestCase):
    def run_command(self, *command: str) -> None:
        """Run in a process of its own: it forks, and gives up root."""
        done = subprocess.run(
            [sys.executable, "-sB", *command], cwd=HERE, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")

    def test_ordinary_scripts_run_as_without_the_guard(self) -> None:
        self.run_command("scripts.py", "--every", str(EVERY))

    def test_docstring_examples_run_as_without_the_guard(self) -> None:
        self.run_command("examples.py", "--every", str(EVERY))
