#!/usr/bin/env bash
# Runs every Go fuzz target for a while: fuzz.sh TIME
set -euo pipefail
time=${1:?usage: fuzz.sh TIME, for example 30s}

grep --recursive --files-with-matches --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u |
	while read -r directory; do
		grep --no-filename --only-matching --perl-regexp '^func \KFuzz\w+' "$directory"/*_test.go | sort |
			while read -r target; do
				echo "== $directory $target"
				go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x "$directory"
			done
	done
