#!/usr/bin/python3
"""Runs the docstring examples of the image's packages with and without the guard.

    python3 -sB examples.py [--every N] [--only TEXT] [--report FILE]

For the image's Python, like the guard's other tests. It fails when an example that
runs under plain Python ends or prints otherwise under the guard and is not listed
in differences.toml, when a listed one no longer differs, and when fewer than 99 %
run; of a part of them only the list is checked. FILE gets all differences with the
examples' sources, as JSON.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import random
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "src"), str(HERE.parents[1])]

from tests.benign import harvest, judge, policy  # noqa: E402  # sys.path first
from tests.benign.sides import Sides  # noqa: E402

UNPRIVILEGED = 65532
"""The guard's uid in the image."""

PRELOADED = """
    numpy pandas scipy scipy.stats scipy.optimize scipy.linalg scipy.sparse scipy.signal scipy.special
    scipy.interpolate scipy.integrate scipy.ndimage scipy.spatial scipy.cluster scipy.io
    statsmodels.api statsmodels.formula.api matplotlib.pyplot plotly.express plotly.graph_objects plotly.io
""".split()
"""What scripts import most; the rest is imported by each child that needs it."""

LIMITS = {
    "bundle_dir": "",
    "max_figures": 1000,
    "code_bytes": 1 << 20,
    "stdout_bytes": 1 << 24,
    "stderr_bytes": 1 << 24,
    "report_bytes": 1 << 25,
}


def main() -> int:
    options = _options()
    become_unprivileged()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="benign-") as directory:
        scratch = Path(directory)
        modules, found = _harvested(scratch)
        chosen = [each for each in found if each.slot(options.every) == 0 and each.name.startswith(options.only)]
        preload(scratch)
        compared = judge.compare(Sides(scratch, _changes(modules)), chosen)
    known = judge.read_known(HERE / "differences.toml")
    print(compared.table())
    print(judge.summary(compared, known))
    print(f"{time.monotonic() - began:6.0f} s")
    if options.report:
        _write_report(options.report, compared, chosen)
    whole = options.every == 1 and not options.only
    return _judged(list(judge.verdicts(compared, known)), compared.rate, judge.REQUIRED if whole else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs docstring examples with and without the guard.")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take one of N examples, always the same")
    parser.add_argument("--only", default="", metavar="TEXT", help="take the examples whose name begins so")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write all differences there")
    return parser.parse_args()


def _judged(lines: list[str], rate: float, required: float) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    if rate < required:
        print(f"{rate:.2%} run under the guard, {required:.0%} must", file=sys.stderr)
    return 1 if lines or rate < required else 0


def become_unprivileged() -> None:
    """Give up root, which the sandbox does not have either."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(UNPRIVILEGED)
        os.setuid(UNPRIVILEGED)


def preload(scratch: Path) -> None:
    """Import what the children share, and seed what they inherit."""
    os.environ["MPLCONFIGDIR"] = f"{scratch}/matplotlib"
    for name in PRELOADED:
        importlib.import_module(name)
    random.seed(0)
    importlib.import_module("numpy").random.seed(0)
    gc.freeze()  # else the children's collections copy every page that holds an object


def _harvested(scratch: Path) -> tuple[list[str], list[harvest.Example]]:
    """Harvest in a child: this process must not have loaded every module there is."""
    file = scratch / "examples.json"
    child = os.fork()
    if child == 0:
        warnings.simplefilter("ignore")
        os.environ["MPLCONFIGDIR"] = f"{scratch}/matplotlib"
        modules = harvest.public_modules()
        found = [[each.name, each.source] for each in harvest.examples(modules)]
        file.write_text(json.dumps([modules, found]))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise RuntimeError(f"harvest examples: the child ended with {status}")
    modules, found = json.loads(file.read_text())
    return modules, [harvest.Example(*each) for each in found]


def _changes(modules: list[str]) -> Callable[[str], dict[str, object]]:
    """Return what makes a script's policy: the public modules of the packages that it
    names at all, also others that study-analysis lists, its way with text, and limits that
    are out of the way."""
    public = sorted({name for name in modules if not harvest.is_internal(name)}.union(policy.imports("study-analysis")))

    def changes(source: str) -> dict[str, object]:
        words = frozenset(re.findall(r"\w+", source))
        return {"imports": [name for name in public if name.partition(".")[0] in words | {"builtins"}], **LIMITS}

    return changes


def _write_report(file: Path, compared: judge.Comparison, chosen: list[harvest.Example]) -> None:
    told = {
        each.name: {
            "fault": compared.differences[each.name],
            "plain": compared.plain[each.name].stdout,
            "guarded": compared.guarded[each.name].stdout,
            "source": each.source,
        }
        for each in chosen
        if each.name in compared.differences
    }
    unusable = {name: ending.fault for name, ending in compared.plain.items() if ending.fault}
    file.write_text(json.dumps({"differences": told, "fail under plain Python": unusable}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
