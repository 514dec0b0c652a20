#!/usr/bin/env bash
# Runs every Go test, each once: test-go.sh [DIRECTORY]
#
# With the race detector what lies below cmd/, internal/ and client/ and has goroutines.
# Without it what has none, neither it nor its tests; what lies below tests/, which runs the
# command and the engines as a user does and would spend half of its time in the detector;
# and what measures memory, of which the detector takes many times what is measured.
#
# DIRECTORY gets the profiles of coverage, of which nothing is noted without it.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${1:-}

# At the end of a process the detector waits a second for what still runs. Here hundreds
# end, of which each test binary is asked by goleak what still runs.
export GORACE="atexit_sleep_ms=0 ${GORACE:-}" HOTCELL_REQUIRE_ALL=1

# Packages begin in the order in which they are named here: what takes minutes first, or
# one processor has nothing to do at the end.
raced=(./internal/container/docker ./internal/container/oci ./internal/image ./cmd/runner ./internal/seccomp)
driven=(./tests/security ./tests/integration ./tests/security/guard ./tests/policies ./tests/... ./scripts)
# A package that starts a goroutine, or has something to keep one from another by, stands among the first.
goroutines='^[[:space:]]*go [a-z(]|\.Go\(|Parallel\(|AfterFunc|"sync|"net/http'
listed=$("${GO:-go}" list -f '{{.ImportPath}} {{.Dir}}' ./cmd/... ./internal/... ./client/... ./api/... ./images/... ./policies/...)
while read -r package directory; do
	if [ "$package" != hotcell/internal/bundle ] && grep -qE "$goroutines" "$directory"/*.go; then raced+=("$package"); else driven+=("$package"); fi
done <<<"$listed"

code=0
# tested NAME FLAG … PACKAGE … goes on to the next after a failure. What hangs is ended by the
# timeout: the longest package takes 17 minutes on two processors of its own, and shares them.
tested() {
	# vet has looked at all of it by now. One package more than two processors: each waits for
	# a disk, a daemon or a grace period now and then.
	local flags=(-vet=off -count=1 -timeout 60m -p "$(($(nproc) + 1))") name=$1
	[ -z "$directory" ] || flags+=("-coverprofile=$directory/$name.coverage")
	shift
	"${GO:-go}" test "${flags[@]}" "$@" || code=1
}

# Each table of a bundle has a process of its own to read it, twenty times as slow when raced: of
# that package what does several things at once is raced, and all of it is run.
"${GO:-go}" test -vet=off -count=1 -race -run 'AtOnce$|BesideAChange|NeverKeeps|IsReadInOrder$' ./internal/bundle || code=1
"${GO:-go}" test -vet=off -count=1 -run 'StaysSmall$|^FuzzAllocations$' ./internal/output ./internal/runner || code=1
tested raced -race "${raced[@]}"
tested driven "${driven[@]}"
if [ -n "$directory" ]; then scripts/go-coverage.sh "$directory"/{raced,driven}.coverage; fi
exit "$code"
