#!/usr/bin/env bash
# What a user without root gets of rootless Docker, in a guest with systemd (trixie):
# the three commands of README's "Without root", every ending, and the refusal with
# its remedy where systemd delegates no cpu controller. Run as root, with runner in
# PATH and the image in /var/lib/hotcell; the user alice has subordinate ids.
set -euo pipefail

user=alice uid=$(id -u alice) home=/home/alice
work=$(mktemp -d /tmp/rootless-docker.XXXXXX)
chmod 755 "$work"
runner=$(command -v runner)
dropin=/etc/systemd/system/user@.service.d/hotcell-check.conf

fail() { printf 'rootless-docker: FAILED: %s\n' "$*" >&2; exit 1; }
as() {
	(cd "$home" && exec runuser -u "$user" -- env -i HOME="$home" USER="$user" XDG_RUNTIME_DIR="/run/user/$uid" \
		DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" \
		PATH="$(dirname "$runner"):/usr/share/docker.io/contrib:/usr/bin:/usr/sbin:/bin:/sbin" "$@")
}
await_bus() { # of the user's manager
	local n
	for n in $(seq 60); do [ -S "/run/user/$uid/bus" ] && break; sleep 1; done
}
settled() { # waits for the user's manager and daemon, which has no notice of its own for a stranger
	local n
	await_bus
	as systemctl --user --no-block start docker
	for n in $(seq 300); do
		curl -sf --max-time 5 --unix-socket "/run/user/$uid/docker.sock" http://docker/_ping >/dev/null && return
		sleep 1
	done
	fail "the rootless daemon does not answer"
}
finish() {
	[ ! -e "$dropin" ] || { rm "$dropin"; systemctl daemon-reload; systemctl restart "user@$uid"; }
	rm -rf "$work"
}
trap finish EXIT

# ends CODE TEXT ARGUMENT… < SCRIPT: a run ends with this code and says this.
ends() {
	local code=0 want=$1 text=$2
	shift 2
	cat >"$work/script.py"
	as runner run "$@" "$work/script.py" >"$work/said" 2>&1 || code=$?
	[ "$code" = "$want" ] && grep -qE "$text" "$work/said" || { cat "$work/said"; fail "runner run $*: exit code $code instead of $want, or without /$text/"; }
	printf 'rootless-docker: %s: exit code %s\n' "$text" "$code"
}

loginctl enable-linger "$user"
await_bus
# Sandboxes have no network, and a start without its tables is a matter of seconds.
as sh -c 'mkdir -p .config/docker; [ -e .config/docker/daemon.json ] || echo "{\"iptables\": false, \"bridge\": \"none\"}" >.config/docker/daemon.json'
as systemctl --user cat docker >/dev/null 2>&1 || as dockerd-rootless-setuptool.sh install --skip-iptables >"$work/setup" 2>&1 || true # a slow machine's start has a time-out
settled

# A guest has no archive to build from: the layers are root's.
store=$home/.local/state/hotcell/images
if [ ! -e "$store/index.json" ]; then
	as mkdir -p -m 700 "$home/.local/state/hotcell" "$store"
	cp -a /var/lib/hotcell/images/{blobs,bases,index.json,oci-layout} "$store/"
	chown -R "$user:" "$store"
fi
as runner image build | grep -q python-analysis || fail "runner image build"

as runner doctor --policy study-analysis >"$work/doctor" || { cat "$work/doctor"; fail "runner doctor"; }
grep -q "docker daemon .*unix:///run/user/$uid/docker.sock" "$work/doctor" || fail "doctor does not name the user's own daemon"
grep -q 'on rootless Docker' "$work/doctor" || fail "doctor does not say that the daemon is rootless"
grep -q 'policy study-analysis can run on docker' "$work/doctor" || { cat "$work/doctor"; fail "study-analysis cannot run"; }
sed -n '/engine docker/,/^$/p' "$work/doctor"

ends 0 'result +42' --policy study-analysis <<<'6 * 7'
ends 0 'table.csv' --policy study-analysis --output "$home/out-$$" <<'EOF'
(OUTPUT / "table.csv").write_text("a,b\n1,2\n")
EOF
[ "$(stat -c %U "$home/out-$$/table.csv")" = "$user" ] || fail "the output is not the user's"
rm -r "$home/out-$$"
ends 1 'ValueError: no such patient' --policy study-analysis <<<'raise ValueError("no such patient")'
ends 3 'import.denied' --policy study-analysis <<<'import socket'
ends 4 'timed_out \(wall_clock\)' --policy study-analysis --timeout 40s <<<'import time; time.sleep(600)'
ends 5 'out_of_memory' --policy study-analysis --memory 160MiB <<<'x = [bytearray(1 << 20) for _ in range(1000)]'
ends 7 'output_bytes' --policy study-analysis <<'EOF'
with open(OUTPUT / "a.txt", "w") as f:
    for _ in range(100):
        f.write("x" * (1 << 20))
EOF
ends 8 'output_rejected' --policy study-analysis <<'EOF'
(OUTPUT / "a.pkl").write_bytes(b"\x80\x04.")
EOF

[ -z "$(curl -s --unix-socket "/run/user/$uid/docker.sock" 'http://docker/containers/json?all=1' | grep hotcell)" ] || fail "a container is left"

# systemd before 252 gives users memory and pids alone.
mkdir -p "$(dirname "$dropin")"
printf '[Service]\nDelegate=\nDelegate=memory pids\n' >"$dropin" # a list adds to the one before, but for an empty one
systemctl daemon-reload
systemctl restart "user@$uid"
settled
as runner doctor >"$work/doctor" || true
grep -q 'lacks .*cpu.max: systemd does not delegate' "$work/doctor" || { cat "$work/doctor"; fail "doctor does not name cpu.max"; }
ends 125 'does not enforce cpu.max .*Delegate=cpu cpuset io memory pids' --policy study-analysis <<<'6 * 7'
echo 'rootless-docker: ok'
