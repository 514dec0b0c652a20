#!/usr/bin/python3
"""Runs the ordinary analyses of scripts/ with and without the guard.

    python3 -sB scripts.py [--every N] [--only TEXT]

Under the policy study-analysis, with the tables loaded. Every script must run under
plain Python. One that ends or prints otherwise under the guard must be listed in
differences.toml, and one that is listed there must differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "src"), str(HERE.parents[1])]

from tests.benign import judge, policy, tables  # noqa: E402  # sys.path first
from tests.benign.examples import become_unprivileged, preload  # noqa: E402
from tests.benign.harvest import Example  # noqa: E402
from tests.benign.sides import Sides  # noqa: E402

POLICY = "study-analysis"


GROUPS = ("study_", "task_", "chart_", "library_")
"""How the names begin of what analysts write, of what models write for everyday tasks, and of scripts
that use a plotting or a statistics package in its breadth. The others each show a part of Python or of a library."""


def main() -> int:
    options = _options()
    become_unprivileged()
    every = [Example(file.name, file.read_text(encoding="utf-8")) for file in sorted((HERE / "scripts").glob("*.py"))]
    chosen = [each for each in every if each.name.startswith(options.only) and _is_due(each, options.every)]
    with tempfile.TemporaryDirectory(prefix="benign-") as directory:
        scratch, data = Path(directory), Path(directory) / "data"
        data.mkdir()
        preload(scratch)
        tables.make(data)
        changes = _changes(data)
        sides = Sides(scratch, lambda source: changes, lambda: {"DATA": data, **tables.load(data)})
        compared = judge.compare(sides, chosen)
    known = judge.read_known(HERE / "differences.toml")
    print(compared.table())
    print("\n".join(_summary(compared)))
    lines = [f"{name}: under plain Python: {end.fault}" for name, end in compared.plain.items() if end.fault]
    lines += judge.verdicts(compared, known)
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines or not chosen else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs ordinary analyses with and without the guard.")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take one of N that analysts and models write")
    parser.add_argument("--only", default="", metavar="TEXT", help="take the scripts whose name begins so")
    return parser.parse_args()


def _is_due(script: Example, every: int) -> bool:
    return not _group(script.name) or script.slot(every) == 0


def _summary(compared: judge.Comparison) -> Iterator[str]:
    """Yield how many scripts are the same on both sides, by group."""
    all_of = Counter(map(_group, compared.plain))
    same = all_of - Counter(_group(name) for name in compared.plain if not _is_same(compared, name))
    for group in sorted(all_of):
        yield f"{same[group]} of {all_of[group]} the same: {group or 'others'}"


def _is_same(compared: judge.Comparison, name: str) -> bool:
    return not compared.plain[name].fault and name not in compared.differences


def _group(name: str) -> str:
    return next((group for group in GROUPS if name.startswith(group)), "")


def _changes(data: Path) -> dict[str, object]:
    return {
        "bundle_dir": str(data),
        "tables": [{"name": name, "path": f".tables/{name}.table"} for name in tables.TABLES],
        "imports": policy.imports(POLICY),
    }


if __name__ == "__main__":
    sys.exit(main())
