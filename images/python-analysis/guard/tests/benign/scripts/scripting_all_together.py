#!/usr/bin/env python3
"""Summarise every table, as a script for a shell would."""
import os, sys, glob, shutil, tempfile
from pathlib import Path

import pandas as pd

ROOT = Path(os.environ.get("STUDY_ROOT", str(DATA)))
RESULTS = os.path.join(os.environ.get("STUDY_RESULTS", str(OUTPUT)), "results")


def summarise(path, tmp):
    frame = pd.read_csv(path)
    target = os.path.join(tmp, Path(path).stem + ".summary.csv")
    frame.describe(include="all").to_csv(target)
    return target


def main():
    os.makedirs(RESULTS, exist_ok=True)
    paths = sorted(glob.glob(str(ROOT / "*.csv")))
    if not paths:
        print("nothing to do", file=sys.stderr)
        sys.exit(1)
    with tempfile.TemporaryDirectory(prefix="summary-") as tmp:
        for path in paths:
            shutil.move(summarise(path, tmp), RESULTS)
    for name in sorted(os.listdir(RESULTS)):
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
