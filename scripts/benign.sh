#!/usr/bin/env bash
# Runs what is ordinary with and without the guard: every script of tests/benign/scripts and
# every docstring example of the image's packages. With options: the examples that the options
# of tests/benign/examples.py choose.
set -euo pipefail
cd "$(dirname "$0")"
if (($# == 0)); then
	GUARD_PROGRAM=tests/benign/scripts.py ./test-guard.sh
fi
GUARD_PROGRAM=tests/benign/examples.py exec ./test-guard.sh "$@"
