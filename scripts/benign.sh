#!/usr/bin/env bash
# Runs the docstring examples of the image's packages with and without the guard:
# all of them, or what the options of tests/benign/examples.py choose.
set -euo pipefail
GUARD_PROGRAM=tests/benign/examples.py exec "$(dirname "$0")/test-guard.sh" "$@"
