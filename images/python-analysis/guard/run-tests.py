#!/usr/bin/python3
"""Runs the guard's tests with the interpreter that executes this file.

Standard library only, so that the production image can run it:

    python3 -sB run-tests.py [-v] [--coverage] [TEST ...]

The guard's source and tests are taken from this file's directory. --coverage
needs the package coverage and prints the branch coverage, subprocesses included.
"""

from __future__ import annotations

import argparse
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the guard's tests.")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--coverage", action="store_true", help="print branch coverage")
    parser.add_argument("tests", nargs="*", help="for example tests.test_vet")
    options = parser.parse_args()
    sys.path[:0] = [str(HERE / "src"), str(HERE)]
    if options.coverage:
        return _covered(options)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    loader = unittest.TestLoader()
    if options.tests:
        suite = loader.loadTestsFromNames(options.tests)
    else:
        suite = loader.discover(str(HERE / "tests"), top_level_dir=str(HERE))
    runner = unittest.TextTestRunner(verbosity=2 if options.verbose else 1, warnings="error")
    result = runner.run(suite)
    if result.testsRun == 0 or result.skipped:
        print("a skipped or missing test is a failure", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


def _covered(options: argparse.Namespace) -> int:
    import tempfile

    import coverage

    with tempfile.TemporaryDirectory(prefix="guard-coverage-") as directory:
        os.environ["GUARD_COVERAGE"] = directory
        data = coverage.Coverage(
            f"{directory}/.coverage", data_suffix=True, branch=True, source_pkgs=["hotcell_guard"], config_file=False
        )
        data.start()
        code = _run(options)
        data.stop()
        data.save()
        total = coverage.Coverage(f"{directory}/.coverage", config_file=False)
        total.exclude("if TYPE_CHECKING:")
        total.combine([directory])
        total.report(show_missing=True, skip_covered=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
