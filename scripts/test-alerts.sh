#!/usr/bin/env bash
# Has Prometheus' own tool check the alert rules, and whether each is given when it is to be
# (tests/monitoring/alerts.yaml), and not otherwise. The tool is Debian's, fetched into the cache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fetched=$(scripts/fetch-packages.sh promtool "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$(dpkg --print-architecture)" prometheus)
promtool=$fetched/usr/bin/promtool
rules=deploy/monitoring/alerts.yaml
"$promtool" check rules "$rules"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$rules" "$work/rules.yaml"
cp tests/monitoring/alerts.yaml "$work/tests.yaml"
"$promtool" test rules "$work/tests.yaml"
for alert in $(sed -n 's/^ *- alert: //p' "$rules"); do
	# Given once at least: an alert that nobody has seen is none.
	grep --after-context=1 --fixed-strings "alertname: $alert" "$work/tests.yaml" | grep --quiet exp_alerts ||
		{ echo "test-alerts: no test has $alert given" >&2; exit 1; }
done
