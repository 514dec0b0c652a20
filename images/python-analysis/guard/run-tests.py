#!/usr/bin/python3
"""Runs the guard's tests with the interpreter that executes this file.

Standard library only, so that the production image can run it:

    python3 -sB run-tests.py [-v] [--coverage] [--jobs N] [TEST ...]

The guard's source and tests are taken from this file's directory. --coverage
needs the package coverage and prints the branch coverage, subprocesses included.
Each test module runs in a process of its own, N at a time, those that take longest
first; a module's output is printed when it has ended.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LONGEST = ("tests.benign.test_benign", "tests.test_inventory", "tests.test_fuzz", "tests.test_run", "tests.test_views")
"""Test modules that take more than half of the time."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the guard's tests.")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--coverage", action="store_true", help="print branch coverage")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at a time")
    parser.add_argument("tests", nargs="*", help="for example tests.test_vet")
    options = parser.parse_args()
    sys.path[:0] = [str(HERE / "src"), str(HERE)]
    if options.coverage:
        return _covered(options)
    return _run(options) if len(options.tests) == 1 else _run_all(options)


def _run_all(options: argparse.Namespace) -> int:
    """Run each test module in a process of its own."""
    names = options.tests or _modules()
    names.sort(key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))
    codes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = {pool.submit(_run_one, name, options.verbose): name for name in names}
        for future in concurrent.futures.as_completed(done):
            code, output = future.result()
            codes.append(code)
            print(f"== {done[future]}\n{output}", flush=True)
    failed = sum(code != 0 for code in codes)
    print(f"{len(codes)} test modules, {failed} failed")
    return 1 if failed or not codes else 0


def _modules() -> list[str]:
    files = (HERE / "tests").rglob("test_*.py")
    return sorted(".".join(file.relative_to(HERE).with_suffix("").parts) for file in files)


def _run_one(name: str, verbose: bool) -> tuple[int, str]:
    given = [*(["-v"] if verbose else []), *(["--coverage"] if DIRECTORY in os.environ else [])]
    command = [sys.executable, "-sB", __file__, *given, name]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def _run(options: argparse.Namespace) -> int:
    loader = unittest.TestLoader()
    if options.tests:
        suite = loader.loadTestsFromNames(options.tests)
    else:
        suite = loader.discover(str(HERE / "tests"), top_level_dir=str(HERE))
    runner = unittest.TextTestRunner(verbosity=2 if options.verbose else 1, warnings="error", durations=5)
    result = runner.run(suite)
    if result.testsRun == 0 or result.skipped:
        print("a skipped or missing test is a failure", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


def _covered(options: argparse.Namespace) -> int:
    """Run the tests with every line and branch of the guard noted, in this process and in those that they start."""
    import tempfile

    sys.path.append("/tmp/packages")  # of scripts/fetch-test-packages.sh
    import coverage

    if DIRECTORY in os.environ:  # one module, for whoever started this
        return _noted(options, coverage.Coverage(f"{os.environ[DIRECTORY]}/.coverage", **NOTED))
    with tempfile.TemporaryDirectory(prefix="guard-coverage-") as directory:
        os.environ[DIRECTORY] = directory
        code = _run_all(options)
        total = coverage.Coverage(f"{directory}/.coverage", config_file=False)
        total.exclude("if TYPE_CHECKING:")
        total.combine([directory])
        total.report(show_missing=True, skip_covered=True)
    return code


DIRECTORY = "GUARD_COVERAGE"
NOTED: dict[str, Any] = {"data_suffix": True, "branch": True, "source_pkgs": ["hotcell_guard"], "config_file": False}


def _noted(options: argparse.Namespace, data: Any) -> int:
    data.set_option("run:disable_warnings", ["module-not-measured", "module-not-imported", "no-data-collected"])
    data.start()
    try:
        return _run(options)
    finally:
        data.stop()
        data.save()
        from tests import covered

        covered.save()


if __name__ == "__main__":
    sys.exit(main())
