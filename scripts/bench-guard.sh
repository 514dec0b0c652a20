#!/usr/bin/env bash
# Prints what the guard costs beside plain Python, in one table.
set -euo pipefail
GUARD_PROGRAM=benchmarks/bench.py exec "$(dirname "$0")/test-guard.sh" "$@"
