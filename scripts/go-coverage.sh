#!/usr/bin/env bash
# Tells what of each package some profiles of Go's coverage reached, and of all of it:
# go-coverage.sh PROFILE …
#
# Counted in statements, as go test does. A statement counts once, whichever package's
# tests have reached it. Packages without statements of their own are not listed.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: go-coverage.sh PROFILE …, written by go test -coverprofile" >&2; exit 2; }

# FILE:BEGIN,END STATEMENTS COUNT, see golang.org/x/tools/cover.
awk '
	FNR == 1 { next }
	{
		statements[$1] = $2
		if ($3 > 0) reached[$1] = 1
	}
	END {
		for (block in statements) {
			package = block
			sub(/\/[^\/]*$/, "", package)
			all[package] += statements[block]
			total += statements[block]
			if (block in reached) { hit[package] += statements[block]; totalhit += statements[block] }
		}
		for (package in all) printf "%5.1f %%  %s\n", 100 * hit[package] / all[package], package | "sort -k 3"
		close("sort -k 3")
		if (total) printf "%5.1f %%  of all %d statements of Go\n", 100 * totalhit / total, total
	}
' "$@"
