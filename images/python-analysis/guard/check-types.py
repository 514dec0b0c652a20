#!/usr/bin/python3
"""Checks the guard's types with mypy, as strictly as pyproject.toml says.

For the image's Python, so that its standard library and packages are those of the
run; GUARD_PROGRAM=check-types.py scripts/test-guard.sh puts mypy there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append("/tmp/packages")

from mypy.main import main  # noqa: E402  # sys.path first

os.chdir(Path(__file__).resolve().parent)
sys.exit(main(args=["--cache-dir", os.devnull, *sys.argv[1:]], clean_exit=True))
