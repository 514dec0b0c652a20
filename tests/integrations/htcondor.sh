# shellcheck shell=bash
# HTCondor: one machine of Debian 13, below a directory, as Debian 12 has none. Its user anna submits
# the page's jobs. Sourced by stage.sh.

condor_begin() {
	root=$SITE/machine
	mkdir "$root"
	mount --bind "$root" "$root" # HTCondor makes its root private
	tar -C "$root" -xf "$CACHE/htcondor.tar"
	local directory
	for directory in proc dev sys run mnt; do mount --rbind "/$directory" "$root/$directory"; done
	cp "$SITE/bin/runner" "$root/usr/bin/runner"
	printf '192.0.2.1 node1\n' >>"$root/etc/hosts"
	printf 'anna:x:60911:60911::%s:/bin/sh\n' "$SITE/home" >>"$root/etc/passwd"
	printf 'hotcell:x:60902:anna\nanna:x:60911:\n' >>"$root/etc/group"
	cat >"$root/etc/condor/config.d/50-site" <<-END
		CONDOR_HOST = 192.0.2.1
		NETWORK_INTERFACE = 192.0.2.1
		DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD
		use SECURITY:HOST_BASED
		ALLOW_READ = *
		ALLOW_WRITE = *
		ALLOW_NEGOTIATOR = *
		ALLOW_ADMINISTRATOR = *
		ALLOW_DAEMON = *
		SEC_DEFAULT_AUTHENTICATION_METHODS = FS
		FILESYSTEM_DOMAIN = site
		UID_DOMAIN = site
		NUM_CPUS = 8
		MEMORY = 4096
		NEGOTIATOR_INTERVAL = 2
		NEGOTIATOR_CYCLE_DELAY = 1
		NEGOTIATOR_MIN_INTERVAL = 1
		SCHEDD_INTERVAL = 2
		SCHEDD_MIN_INTERVAL = 1
		JOB_START_DELAY = 0
	END
	chroot "$root" sh -c 'mkdir -p /run/lock/condor /run/condor && chown condor: /run/lock/condor /run/condor'
	chroot "$root" condor_master -f >"$SITE/condor.log" 2>&1 &
	until_true 180 sh -c "chroot $root condor_status -af State | grep -q Unclaimed"
}

condor() { chroot --userspec=60911:60911 --groups=60911,60902 "$root" env HOME="$SITE/home" USER=anna /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$PWD" "$@"; }

# submit SCRIPT [FLAGS] prints the job's number.
submit() { condor condor_submit -terse "script=$1" bundle=public-health ${2:+"flags=$2"} analysis.sub | cut -d. -f1; }

history() { condor condor_history "$1" -limit 1 -af JobStatus ExitBySignal ExitCode NumJobCompletions; }

gone() { [ -n "$(history "$1")" ]; }

# ends JOB WHAT HISTORY STATUS; JobStatus 4 is completed, 3 removed.
ends() {
	until_true 300 gone "$1"
	expect "$2: status, signal, exit code, starts" "$3" "$(history "$1")"
	expect "$2: the answer" "$4" "$(jq -r .status "result-$1-0.json")"
}

condor_begin
bad_scripts
good=$(submit analysis.py)
refused=$(submit refused.py)
failing=$(submit failing.py)
timed=$(submit endless.py '--timeout 2s')
ends "$good" 'a good run' '4 false 0 1' succeeded
files "result-$good-0.json" "out-$good-0"
ends "$refused" 'a refused script' '4 false 3 1' rejected
ends "$failing" 'a script that raises' '4 false 1 1' failed
ends "$timed" 'over its limit' '4 false 4 1' timed_out
for job in "$refused" "$failing" "$timed"; do
	[ ! -e "out-$job-0" ] || fail "job $job left files"
done

# condor_rm: SIGTERM, and the answer is there.
begun=$(grep -c '"route":"POST /v1/runs","status":20' "$SITE/serve.log")
removed=$(submit long.py)
one_more() { [ "$(grep -c '"route":"POST /v1/runs","status":20' "$SITE/serve.log")" -gt "$begun" ]; }
until_true 180 one_more
condor condor_rm "$removed"
until_true 180 gone "$removed"
until_true 180 grep -q cancelled "result-$removed-0.json"
expect 'condor_rm: status, signal, exit code, completions' '3 false 9 0' "$(history "$removed")"

# 125 comes again, three times at most.
mv "$root/usr/bin/runner" "$root/usr/bin/runner.real"
printf '#!/bin/sh\necho "$*" >>%s/asked\necho "{\\"status\\": null}"\nexit 125\n' "$PWD" >"$root/usr/bin/runner"
chmod 755 "$root/usr/bin/runner"
lost=$(submit analysis.py)
ends "$lost" 'a host that fails' '4 false 125 4' null
expect 'a host that fails: attempts, and keys' '4 1' "$(wc -l <asked) $(sort -u asked | wc -l)"
