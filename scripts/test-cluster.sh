#!/usr/bin/env bash
# Runs every Go test that needs a cluster: test-cluster.sh
#
# Each package has a cluster of its own, for a test may stop the API server; and two of them run
# at a time, for they wait for a kubelet most of the time.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}

mapfile -t packages < <("$go" list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
	sed -n 's|^\([^ ]*\) .*hotcell/tests/cluster\( .*\)*$|\1|p')
[ ${#packages[@]} -gt 0 ] || { echo "test-cluster: no package's tests need a cluster" >&2; exit 1; }
tests/cluster/build.sh >/dev/null # once, and not by both
unset HOTCELL_TEST_CLUSTER
HOTCELL_REQUIRE_ALL=1 "$go" test -vet=off -race -count=1 -p 2 -timeout 60m -exec "$PWD/scripts/with-cluster.sh" "${packages[@]}"
