#!/usr/bin/env bash
# Runs every Go fuzz target for a while: fuzz.sh SECONDS
#
# In rounds of so many executions, each of four times as many, until SECONDS have passed
# (the last one is finished): go test fails now and then at a duration's end with "context
# deadline exceeded" and nothing found (Go before 1.27, golang/go#75804).
set -euo pipefail
seconds=${1:?usage: fuzz.sh SECONDS, for example 30}
seconds=${seconds%s}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: SECONDS is a whole number such as 30, not \"$seconds\"" >&2; exit 2; }

fuzz() { # DIRECTORY TARGET
	local begun=$SECONDS executions=1000
	echo "== $1 $2"
	while [ $((SECONDS - begun)) -lt "$seconds" ]; do
		go test -run '^$' -fuzz "^$2\$" -fuzztime "${executions}x" -fuzzminimizetime 20x "$1"
		executions=$((executions * 4))
	done
}

grep --recursive --files-with-matches --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u |
	while read -r directory; do
		grep --no-filename --only-matching --perl-regexp '^func \KFuzz\w+' "$directory"/*_test.go | sort |
			while read -r target; do fuzz "$directory" "$target"; done
	done
