#!/usr/bin/python3
"""Looks for faults and bad style in the guard with pylint, as pyproject.toml says.

For the image's Python, so that its standard library and packages are those of the
run; GUARD_PROGRAM=check-style.py scripts/test-guard.sh puts pylint there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append("/tmp/packages")

from pylint.lint import Run  # noqa: E402  # sys.path first

PROGRAMS = ["tests", "benchmarks", "run-tests.py", "check-types.py", "check-style.py"]
ON_PURPOSE = [  # attacks, and objects that lie
    "attribute-defined-outside-init", "broad-exception-caught", "expression-not-assigned", "invalid-length-returned",
    "line-too-long", "no-value-for-parameter", "not-callable", "redefined-outer-name", "subprocess-run-check",
    "unnecessary-lambda", "unspecified-encoding", "unused-variable", "using-constant-test",
]  # fmt: skip

os.chdir(Path(__file__).resolve().parent)
os.environ["PYLINTHOME"] = "/tmp/pylint"
sys.path.insert(0, "src")
found = Run(["src/hotcell_guard"], exit=False).linter.msg_status
found |= Run([f"--disable={','.join(ON_PURPOSE)}", *PROGRAMS], exit=False).linter.msg_status
sys.exit(found)
