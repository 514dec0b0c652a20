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
slowed() { # NAME POLICY WALL_CLOCK CPU_TIME, in seconds: a session's own clock, in hours, stays
	sed -e "s/^name: .*/name: $1/" -e "s/^  wall_clock: [0-9]*s\b.*/  wall_clock: $3s/" -e "s/^  cpu_time: .*/  cpu_time: $4s/" \
		"/share/source/policies/$2.yaml" >"/etc/hotcell/policies/$1.yaml"
}
slowed patient-probe containment-probe 300 280
slowed selftest-probe containment-probe 60 30 # its probes that never end take all of it
slowed patient-session table-query 600 600
export HOTCELL_TEST_PROBE=patient-probe HOTCELL_TEST_SESSION=patient-session
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
