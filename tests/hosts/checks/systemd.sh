#!/bin/bash
# Where the sandboxes of a runner are under systemd on pure cgroup v2, and what they do there to each other and to
# systemd's own groups. Run as root in a guest with systemd, util-linux, runc or crun, an image, and runner in PATH.
set -eu +o pipefail # no group, or one that is gone by now, is an answer

root=/sys/fs/cgroup
work=$(mktemp -d)
runner=$(command -v runner)
trap 'systemctl revert --quiet hotcell.slice 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
say() { echo "check: $*"; }
printf 'print(6 * 7)\n' >"$work/short.py"
printf 'import time\nprint("begun", flush=True)\ntime.sleep(240)\n' >"$work/long.py"

# groups PATTERN: the sandboxes' groups with processes in them, below the groups that PATTERN names.
groups() {
	find $root -mindepth 2 -type d -regex ".*/[0-9]+-[0-9a-f]+" | grep -E "^$root$1/[0-9]+-[0-9a-f]+\$" | while read -r group; do
		[ -z "$(cat "$group/cgroup.procs" 2>/dev/null)" ] || echo "$group" 2>/dev/null || true
	done
}

# placed PATTERN COMMAND…: the command runs a sandbox below PATTERN, and succeeds.
placed() {
	local pattern=$1 found= pid
	shift
	"$@" >"$work/out" 2>&1 &
	pid=$!
	while [ -z "$found" ] && kill -0 $pid 2>/dev/null; do found=$(groups "$pattern" | head -n 1); done
	wait $pid || { cat "$work/out" >&2; fail "$*"; }
	grep -qx 42 "$work/out" || fail "no answer from $*"
	[ -n "$found" ] || fail "no sandbox below $pattern by $*"
	echo "  ${found#"$root"}"
}

# refused WORDS COMMAND…: the command fails and says WORDS.
refused() {
	local words=$1
	shift
	! "$@" >"$work/out" 2>&1 || fail "not refused: $*"
	grep -q -- "$words" "$work/out" || { cat "$work/out" >&2; fail "does not name $words: $*"; }
	echo "  $(grep -m 1 -- "$words" "$work/out" | cut -c 1-160)"
}

nothing_left() {
	local left # systemd removes a scope a moment after its last process
	for _ in $(seq 200); do
		left=$(
			find $root -type d \( -name 'hotcell-*.scope' -o -name 'hotcell-*.slice' -o -regex '.*/[0-9]+-[0-9a-f]+' \)
			systemctl list-units --all --plain --no-legend 'hotcell-*.scope' 'hotcell-*.slice'
		)
		[ -n "$left" ] || return 0
		sleep 0.1
	done
	fail "left behind: $left"
}

run="$runner run --engine oci --policy study-analysis" # whose wall clock is minutes: emulated guests are slow
scope='/hotcell.slice/hotcell-[0-9]+-[a-z2-7]+\.scope'
unit() { local name=$1; shift; systemd-run --quiet --wait --pipe --collect --unit="$name" --setenv=PATH="$PATH" "$@"; }

say "a runner in a session's scope has a scope of its own"
placed "$scope" systemd-run --quiet --scope $run "$work/short.py"
nothing_left

say "a runner in a service has a scope of its own"
placed "$scope" unit check-plain $run "$work/short.py"
nothing_left

say "a runner in a delegated service stays in it"
placed '/system.slice/check-delegated.service/hotcell' unit check-delegated -p Delegate=yes $run "$work/short.py"
nothing_left

say "a delegated service with other processes leaves no room"
refused "other processes are in control group" unit check-crowd -p Delegate=yes /bin/sh -c "$run $work/short.py; exit \$?"

say "a read-only hierarchy is named"
refused "ProtectControlGroups=" unit check-protected -p ProtectControlGroups=yes $run "$work/short.py"

say "a container's runner that is alone moves into a leaf"
container='mount -t tmpfs none /run/systemd && umount /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup'
placed '/system.slice/check-container.service/hotcell' unit check-container -p Delegate=yes unshare --cgroup --mount /bin/sh -c "$container && exec $run $work/short.py"

say "a container's runner that is not alone says what to do"
refused "cgroup.procs); do echo" unit check-shell -p Delegate=yes unshare --cgroup --mount /bin/sh -c "$container && $run $work/short.py; exit \$?"

say "two runners at once have two scopes; daemon-reload and a limit of the slice leave theirs in force"
$run "$work/long.py" >"$work/one" 2>&1 &
one=$!
$run "$work/long.py" >"$work/two" 2>&1 &
two=$!
until [ "$(groups "$scope" | wc -l)" = 2 ]; do kill -0 $one && kill -0 $two || { cat "$work/one" "$work/two" >&2; fail "a runner ended"; }; done
found=$(groups "$scope")
[ "$(dirname $found | sort -u | wc -l)" = 2 ] || fail "two runners share a scope: $found"
limits() { for group in $found; do cat "$group"/{memory.max,memory.swap.max,pids.max,cpu.max}; done; }
before=$(limits)
! grep -qw max <<<"$before" || fail "a limit is missing: $before"
systemctl daemon-reload
systemctl set-property --runtime hotcell.slice MemoryMax=3G
[ "$(limits)" = "$before" ] || fail "limits were $before and are $(limits)"
[ "$(cat $root/hotcell.slice/memory.max)" = 3221225472 ] || fail "the slice has no limit"
systemctl revert hotcell.slice

say "a sandbox outlives its killed runner until the next one sweeps it"
kill -KILL $one $two
wait $one $two || true
for group in $found; do [ -n "$(cat "$group/cgroup.procs")" ] || fail "a sandbox died with its runner: nothing is shown"; done
$run "$work/short.py" >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "the next runner"; }
nothing_left

echo "all checks passed"
