#!/usr/bin/env bash
# Runs a command while Docker Engine answers: with-docker.sh COMMAND [ARG ...]
#
# A daemon that already runs is used and left alone. Otherwise one is started for
# the command, and stopped by its own pid afterwards.
set -euo pipefail

answers() { curl --silent --fail --max-time 5 --unix-socket /var/run/docker.sock http://docker/_ping >/dev/null 2>&1; }

if answers; then
	exec "$@"
fi

log=$(mktemp /tmp/dockerd.XXXXXX.log)
# The daemon's own pid file may be left from a machine that was switched off.
# DOCKERD_FLAGS is for a machine where another daemon runs, see .ci/run.
# shellcheck disable=SC2086  # it is meant to be split
dockerd ${DOCKERD_FLAGS:-} --pidfile "$log.pid" >"$log" 2>&1 &
daemon=$!
stop() {
	kill "$daemon" 2>/dev/null || true
	wait "$daemon" 2>/dev/null || true
	rm -f "$log" "$log.pid"
}
trap stop EXIT

for _ in $(seq 120); do
	answers && break
	if ! kill -0 "$daemon" 2>/dev/null; then
		echo "with-docker: dockerd ended:" >&2
		tail -n 20 "$log" >&2
		exit 1
	fi
	sleep 0.5
done
answers || { echo "with-docker: dockerd did not answer within 60 s:" >&2; tail -n 20 "$log" >&2; exit 1; }
"$@"
