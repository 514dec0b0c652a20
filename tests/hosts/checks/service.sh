# The Debian package under a systemd that is the host's: both units are started, a member of the
# group runs code without root, the units are restarted, killed, stopped and upgraded while
# there is a run, and nothing of it is lost. Run as root in a guest with the package in /share.
set -eu

runner=/usr/bin/runner
units="hotcell-engine.service hotcell.service"
work=$(mktemp -d)
chmod 755 "$work"
fail() { echo "FAILED: $*" >&2; systemctl --no-pager status $units >&2 || true; journalctl --no-pager -n 40 -u hotcell -u hotcell-engine >&2 || true; exit 1; }
say() { echo "check: $*"; }
property() { systemctl show --property "$2" --value "$1"; }

# as USER COMMAND…: with the groups that the user has now, and nothing of root's environment.
as() {
	local user=$1
	shift
	(cd "$work" && setpriv --reuid "$user" --regid "$user" --init-groups env -i PATH=/usr/bin:/bin HOME=/tmp HOTCELL_SERVER=unix:///run/hotcell/hotcell.sock "$@")
}

# answered LABEL: the member's run has its answer.
answered() {
	as alice $runner run --policy study-analysis short.py >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err" >&2; fail "a run $1"; }
	grep -qx 42 "$work/out" || fail "no answer $1"
}

# begun RUN: its code has printed something. Nobody waits here for the rest of its events.
begun() {
	local waited=0
	until grep -q canary-begun <(timeout 60 curl --unix-socket /run/hotcell/hotcell.sock -sSN "http://hotcell/v1/runs/$1/events" 2>/dev/null); do
		waited=$((waited + 1))
		[ $waited -lt 60 ] || fail "run $1 does not begin"
		sleep 1
	done
}

active() { for unit in $units; do [ "$(property $unit ActiveState)" = active ] || fail "$unit is not active $1"; done; }

printf 'print(6 * 7)\n' >"$work/short.py"
printf 'import time\nprint("canary-begun", flush=True)\ntime.sleep(60)\nprint("canary-ended")\n' >"$work/long.py"
chmod 644 "$work"/*.py

say "installed, it starts nothing"
dpkg-deb --raw-extract /share/hotcell.deb "$work/before"
sed -i 's/^Version: .*/Version: 0.0.0~before-1/' "$work/before/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/before" "$work/before.deb" >/dev/null
rm -rf "$work/before"
dpkg --install "$work/before.deb"
for unit in $units; do
	[ "$(property $unit ActiveState) $(property $unit UnitFileState)" = "inactive disabled" ] || fail "$unit was started or enabled"
done

say "both start, and say when they are ready"
systemctl enable --quiet --now $units || fail "they do not start"
active "once they were started"
[ "$(stat --format '%U:%G %a' /run/hotcell/hotcell.sock)" = "hotcell-serve:hotcell 660" ] || fail "the front's socket"
[ "$(stat --format '%U %a' /run/hotcell-engine/engine.sock)" = "hotcell-serve 600" ] || fail "the engine's socket"
[ "$(ps -o user= -p "$(property hotcell.service MainPID)")" != root ] || fail "the front is root"
grep -q '^CapEff:[[:space:]]*0000000000000000$' "/proc/$(property hotcell.service MainPID)/status" || fail "the front has capabilities"
for unit in $units; do
	systemd-analyze security --no-pager "$unit" | grep 'Overall exposure'
done
systemd-analyze security --no-pager --threshold=16 hotcell.service >/dev/null || fail "the front has more rights than the package's test lets it have"
$runner doctor --json >/tmp/service-doctor.json || fail "doctor"
echo "  units: $(systemctl show --property MemoryCurrent,TasksCurrent $units | tr '\n' ' ')"

say "who is not in the group cannot ask, and who is needs no root"
! as alice $runner runs ls >"$work/out" 2>&1 || fail "alice asks without the group"
grep -q 'permission denied' "$work/out" || { cat "$work/out" >&2; fail "the refusal does not say why"; }
usermod --append --groups hotcell alice
answered "of a member"
! as nobody $runner run --policy study-analysis short.py >/dev/null 2>&1 || fail "nobody asks"

say "a restart of the front loses no run"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
before=$(property hotcell.service MainPID)
systemctl restart hotcell.service
[ "$(property hotcell.service MainPID)" != "$before" ] || fail "the front was not restarted"
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "the run was lost by the front's restart"; }
grep -qx canary-ended "$work/out" || fail "the run's end was lost by the front's restart"

say "a front that is killed is there again, and knows the run"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
systemctl kill --signal=KILL hotcell.service
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "the run was lost by the front's death"; }
grep -qx canary-ended "$work/out" || fail "the run's end was lost by the front's death"
[ "$(property hotcell.service NRestarts)" = 1 ] || fail "systemd has not started the front again"

say "an engine that is told to end lets its run end"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
systemctl restart hotcell-engine.service
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "the run was lost by the engine's restart"; }
grep -qx canary-ended "$work/out" || fail "the run's end was lost by the engine's restart"

say "an engine that is killed is there again, and its run is told as interrupted"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
systemctl kill --signal=KILL --kill-whom=main hotcell-engine.service
code=0
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || code=$?
[ $code = 125 ] && grep -q interrupted "$work/err" || { cat "$work/out" "$work/err" >&2; fail "the killed engine's run ended with $code"; }
answered "after the engine was killed"
[ "$(property hotcell-engine.service NRestarts)" = 1 ] || fail "systemd has not started the engine again"

say "an upgrade restarts both, and what was accepted before is answered after it"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
engine=$(property hotcell-engine.service MainPID) front=$(property hotcell.service MainPID)
dpkg --install /share/hotcell.deb || fail "the upgrade"
active "after the upgrade"
[ "$(property hotcell-engine.service MainPID)" != "$engine" ] && [ "$(property hotcell.service MainPID)" != "$front" ] || fail "the upgrade has not restarted both"
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "the run was lost by the upgrade"; }
grep -qx canary-ended "$work/out" || fail "the run's end was lost by the upgrade"
answered "after the upgrade"
$runner records verify || fail "the records"

say "stopped, they end in order"
run=$(as alice $runner run --detach --policy study-analysis long.py)
begun "$run"
since=$SECONDS
systemctl stop hotcell.service
echo "  the front: $((SECONDS - since)) s with a run of a minute"
since=$SECONDS
systemctl stop hotcell-engine.service
echo "  the engine: $((SECONDS - since)) s"
for unit in $units; do
	[ "$(property $unit ActiveState) $(property $unit Result)" = "inactive success" ] || fail "$unit did not end in order: $(property $unit Result)"
done
systemctl start $units || fail "they do not start again"
as alice $runner runs wait "$run" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "the run was lost by the stop"; }
grep -qx canary-ended "$work/out" || fail "the run's end was lost by the stop"

# mistaken UNIT WORDS: it does not start, its journal has the words, and systemd leaves it at that.
mistaken() {
	local since
	since=$(date +%s)
	! systemctl restart "$1" 2>/dev/null || fail "$1 starts with a mistake: $2"
	[ "$(property "$1" SubState) $(property "$1" Result) $(property "$1" ExecMainStatus) $(property "$1" NRestarts)" = "failed exit-code 2 0" ] ||
		fail "a mistake is tried again, or is none: $2"
	grep -q -e "$2" < <(journalctl --no-pager --since "@$since" -u "$1") || fail "the journal does not name the mistake: $2"
}

say "a mistake is told, and not tried again"
cp /etc/hotcell/serve.yaml "$work/serve.yaml"
echo 'engin: /nowhere' >>/etc/hotcell/serve.yaml
mistaken hotcell.service 'unknown key engin'
sed 's/group: hotcell$/group: no-such-group/' "$work/serve.yaml" >/etc/hotcell/serve.yaml
mistaken hotcell.service no-such-group
printf '  tokens:\n    file: /etc/hotcell/no-such-file.json\n' | cat "$work/serve.yaml" - >/etc/hotcell/serve.yaml
mistaken hotcell.service no-such-file.json
cp "$work/serve.yaml" /etc/hotcell/serve.yaml
mkdir -p /run/systemd/system/hotcell-engine.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/runner engine --front-socket /run/hotcell-engine/engine.sock --front-user no-such-user\n' >/run/systemd/system/hotcell-engine.service.d/mistake.conf
systemctl daemon-reload
mistaken hotcell-engine.service no-such-user
rm -r /run/systemd/system/hotcell-engine.service.d
systemctl daemon-reload
systemctl reset-failed $units
systemctl start $units || fail "they do not start with the mistakes mended"
answered "after the mistakes"

# filled UNIT DIRECTORY: its disk is full, and after a while there is room.
filled() {
	local waited=0
	systemctl stop "$1"
	mount -t tmpfs -o size=32m,mode=700 full "$2"
	chown "$(property "$1" User):" "$2" 2>/dev/null || true # the engine's unit names no user
	! dd if=/dev/zero of="$2/filled" bs=64k 2>/dev/null || fail "$2 is not full"
	systemctl start --no-block "$1"
	# Starts are slower here than what systemd takes for a loop by itself.
	[ "$(property "$1" StartLimitIntervalUSec)" = 0 ] || fail "systemd gives $1 up: $(property "$1" StartLimitIntervalUSec)"
	until [ "$(property "$1" NRestarts)" -ge 3 ]; do
		waited=$((waited + 1))
		[ $waited -lt 120 ] || fail "$1 is not started again while its disk is full"
		sleep 1
	done
	[ "$(property "$1" ExecMainStatus)" != 2 ] || fail "a full disk is told as a mistake"
	rm "$2/filled"
	waited=0
	until [ "$(property "$1" ActiveState)" = active ]; do
		waited=$((waited + 1))
		[ $waited -lt 120 ] || fail "$1 is not started again once there is room"
		sleep 1
	done
	systemctl stop "$1"
	umount "$2"
	systemctl start "$1" || fail "$1 does not start on its own disk"
}

say "on a full disk they are started again until there is room"
filled hotcell.service /var/lib/hotcell-serve
grep -q 'the disk is full: make room on it' < <(journalctl --no-pager -u hotcell) || fail "the front does not say that its disk is full"
filled hotcell-engine.service /var/lib/hotcell
grep -q 'no space left on device' < <(journalctl --no-pager -u hotcell-engine) || fail "the engine does not say that its disk is full"
answered "after the disks were full"

say "no log has what a run printed, and a purge leaves the records"
! grep -q canary < <(journalctl --no-pager -u hotcell -u hotcell-engine) || fail "the journal has what code printed"
runs=$(find /var/lib/hotcell/runs -mindepth 1 -maxdepth 1 | wc -l)
dpkg --purge hotcell
[ "$(find /var/lib/hotcell/runs -mindepth 1 -maxdepth 1 | wc -l)" = "$runs" ] && [ "$runs" -gt 5 ] || fail "a purge took records"
for gone in /usr/bin/runner /var/lib/hotcell-serve /run/hotcell/hotcell.sock /run/hotcell-engine/engine.sock; do
	[ ! -e $gone ] || fail "a purge leaves $gone"
done
! systemctl is-active --quiet $units || fail "a purge leaves a unit running"

echo "all checks passed"
