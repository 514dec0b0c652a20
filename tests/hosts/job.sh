#!/bin/bash
# Runs in a guest, as root: every check of /share/plan, whose lines are a name and a
# limit in seconds. What a check says goes to /share/out/NAME.log, how it ended to
# /share/out/results.
set -uo pipefail

mkdir -p /mnt/state /var/lib
mkdir -m 700 /var/lib/hotcell
mount /dev/vdb /mnt/state && mount --bind /mnt/state/hotcell /var/lib/hotcell || { echo "no disk with an image"; exit 1; }
export HOTCELL_TEST_RUNNER=/share/bin/runner
# An emulated processor needs more time than the policies give.
mkdir -p /etc/hotcell/policies
sed -e 's/^name: .*/name: patient-probe/' -e 's/^  wall_clock: .*/  wall_clock: 300s/' -e 's/^  cpu_time: .*/  cpu_time: 280s/' \
	/share/source/policies/containment-probe.yaml >/etc/hotcell/policies/patient-probe.yaml
export HOTCELL_TEST_PROBE=patient-probe
sed -e 's/^name: .*/name: patient-session/' -e 's/^  wall_clock: 60s .*/  wall_clock: 600s/' \
	/share/source/policies/table-query.yaml >/etc/hotcell/policies/patient-session.yaml
export HOTCELL_TEST_SESSION=patient-session
cd /root

while read -r name limit; do
	begun=$SECONDS
	timeout --kill-after=30 "$limit" bash -euo pipefail "/share/checks/$name.sh" >"/share/out/$name.log" 2>&1 </dev/null
	code=$?
	echo "$name $code $((SECONDS - begun))" >>/share/out/results
	echo "$name ended with $code after $((SECONDS - begun)) s"
	[ "$code" = 0 ] || tail -n 15 "/share/out/$name.log" | sed 's/^/    /'
done </share/plan
sync
