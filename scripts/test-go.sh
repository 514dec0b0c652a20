#!/usr/bin/env bash
# Runs every Go test, each once: test-go.sh [DIRECTORY [raced|driven]]
#
# raced: with the race detector what lies below cmd/ and internal/, where the goroutines
# are. driven: without it what lies below tests/, which runs the command and the engines
# as a user does and would spend half of its time in the detector; and what measures
# memory, of which the detector takes many times what is measured. Neither named, both
# at a time: the engines' tests mostly wait for sandboxes to end.
#
# DIRECTORY gets the profiles of coverage, of which nothing is noted without it.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${1:-}

# At the end of a process the detector waits a second for what still runs. Here hundreds
# end, of which each test binary is asked by goleak what still runs.
export GORACE="atexit_sleep_ms=0 ${GORACE:-}" HOTCELL_REQUIRE_ALL=1

# tested FLAG … PACKAGE …; vet has looked at all of it by now.
tested() { "${GO:-go}" test -vet=off -count=1 -timeout 25m "$@"; }

noted=()
[ -z "$directory" ] || noted=("-coverprofile=$directory/${2:-}.coverage")

# Packages begin in the order in which they are named here: what takes minutes first, or
# one processor has nothing to do at the end.
case "${2:-}" in
raced)
	tested "${noted[@]}" -race ./internal/container/docker ./internal/container/oci ./internal/image ./cmd/runner \
		./internal/seccomp ./cmd/... ./internal/... ./images/... ./policies/...
	;;
driven)
	code=0
	tested -run 'StaysSmall$' ./internal/output ./internal/runner || code=1
	tested "${noted[@]}" ./tests/security ./tests/integration ./tests/security/guard ./tests/policies ./tests/... || code=1
	exit "$code"
	;;
"")
	code=0
	# Not the shell's own way to do two things, which would keep Ctrl-C from one of them.
	printf '%s\n' raced driven | xargs --max-procs 2 --max-args 1 "$0" "$directory" || code=1
	[ -z "$directory" ] || scripts/go-coverage.sh "$directory"/{raced,driven}.coverage
	exit "$code"
	;;
*)
	echo "test-go.sh: $2 is neither raced nor driven" >&2
	exit 2
	;;
esac
