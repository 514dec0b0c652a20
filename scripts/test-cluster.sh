#!/usr/bin/env bash
# Runs every Go test that needs a cluster: test-cluster.sh, which with-cluster.sh runs.
#
# One package after the other: a test may stop the API server.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}

mapfile -t packages < <("$go" list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
	sed -n 's|^\([^ ]*\) .*hotcell/tests/cluster\( .*\)*$|\1|p')
[ ${#packages[@]} -gt 0 ] || { echo "test-cluster: no package's tests need a cluster" >&2; exit 1; }
HOTCELL_REQUIRE_ALL=1 "$go" test -vet=off -race -count=1 -p 1 -timeout 60m "${packages[@]}"
