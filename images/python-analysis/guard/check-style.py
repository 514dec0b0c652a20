#!/usr/bin/python3
"""Looks for faults and bad style in the guard with flake8, isort and pylint.

flake8 and isort also look at what builds the image, what runs the attacks and what runs in pods.

What they look for, and why not for more, is in .flake8 and pyproject.toml.

For the image's Python, so that its standard library and packages are those of the
run; GUARD_PROGRAM=check-style.py scripts/test-guard.sh puts them there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PACKAGES = "/tmp/packages"
sys.path.append(PACKAGES)

from pylint.lint import Run  # noqa: E402  # sys.path first

EVERYTHING = ["src", "tests", "benchmarks", "run-tests.py", "check-types.py", "check-style.py"]
CHECKED = "/tmp/checked"  # where test-guard.sh puts what is not the guard
CHECKS = (["flake8", "--jobs=1"], ["isort", "--check-only", "--diff", "--quiet"])
PROGRAMS = ["tests", "benchmarks", "run-tests.py", "check-types.py", "check-style.py"]
ON_PURPOSE = [  # attacks, and objects that lie
    "attribute-defined-outside-init", "broad-exception-caught", "expression-not-assigned", "invalid-length-returned",
    "line-too-long", "no-value-for-parameter", "not-callable", "redefined-outer-name", "subprocess-run-check",
    "unnecessary-lambda", "unspecified-encoding", "unused-variable", "using-constant-test",
]  # fmt: skip

os.chdir(Path(__file__).resolve().parent)
environment = {**os.environ, "PYTHONPATH": PACKAGES}
failed = [
    check[0]
    for check in CHECKS
    if subprocess.run([sys.executable, "-sB", "-m", *check, *EVERYTHING, CHECKED], env=environment, check=False).returncode
]
os.environ["PYLINTHOME"] = "/tmp/pylint"
sys.path.insert(0, "src")
found = Run(["src/hotcell_guard"], exit=False).linter.msg_status
found |= Run([f"--disable={','.join(ON_PURPOSE)}", *PROGRAMS], exit=False).linter.msg_status
if found:
    failed.append("pylint")
if failed:
    print(f"found something: {', '.join(failed)}", file=sys.stderr)
sys.exit(bool(failed))
