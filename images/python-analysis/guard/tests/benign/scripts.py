#!/usr/bin/python3
"""Runs the ordinary analyses of scripts/ with and without the guard.

    python3 -sB scripts.py [--only TEXT]

Under the policy study-analysis, with the tables loaded. Every script must run on
both sides and print the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "src"), str(HERE.parents[1])]

from tests.benign import judge, policy, tables  # noqa: E402  # sys.path first
from tests.benign.examples import become_unprivileged, preload  # noqa: E402
from tests.benign.harvest import Example  # noqa: E402
from tests.benign.sides import Sides  # noqa: E402

POLICY = "study-analysis"


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs ordinary analyses with and without the guard.")
    parser.add_argument("--only", default="", metavar="TEXT", help="take the scripts whose name begins so")
    options = parser.parse_args()
    become_unprivileged()
    chosen = [
        Example(file.name, file.read_text(encoding="utf-8"))
        for file in sorted((HERE / "scripts").glob("*.py"))
        if file.name.startswith(options.only)
    ]
    with tempfile.TemporaryDirectory(prefix="benign-") as directory:
        scratch, data = Path(directory), Path(directory) / "data"
        data.mkdir()
        preload(scratch)
        tables.make(data)
        changes = _changes(data)
        sides = Sides(scratch, lambda source: changes, lambda: {"DATA": data, **tables.load(data)})
        compared = judge.compare(sides, chosen)
    print(compared.table())
    faults = {name: f"under plain Python: {ending.fault}" for name, ending in compared.plain.items() if ending.fault}
    for name, fault in sorted({**faults, **compared.differences}.items()):
        print(f"{name}: {fault}", file=sys.stderr)
    return 1 if faults or compared.differences or not chosen else 0


def _changes(data: Path) -> dict[str, object]:
    return {
        "bundle_dir": str(data),
        "tables": [{"name": name, "path": f"{name}.{kind}", "format": kind} for name, kind in tables.TABLES.items()],
        "imports": policy.imports(POLICY),
    }


if __name__ == "__main__":
    sys.exit(main())
