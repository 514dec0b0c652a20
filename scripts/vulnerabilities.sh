#!/usr/bin/env bash
# Looks for known vulnerabilities in what the command is made of, with govulncheck.
#
# Its database is on the network (GOVULNDB names another). Where that cannot be
# reached nothing is known, which is said and is no failure: it is the machine's, not
# the code's. VULNDB_REQUIRED=1 makes it one. A finding always is.
set -euo pipefail
cd "$(dirname "$0")/.."

database=${GOVULNDB:-https://vuln.go.dev}
case $database in
http://* | https://*)
	if ! answer=$(curl --silent --show-error --fail --max-time 20 --output /dev/null "$database/index/db.json" 2>&1); then
		echo "vulnerabilities: NOT CHECKED: $database cannot be reached: $answer" >&2
		[ "${VULNDB_REQUIRED:-}" != 1 ] || exit 1
		exit 0
	fi
	;;
esac
# Its own exit codes: 3 for findings, 1 for what it could not do.
exec go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 -db "$database" ./...
