#!/usr/bin/env bash
# Docker with userns-remap=default and the systemd cgroup driver, in a guest (trixie):
# user_namespace is active, verified from outside in uid_map, and nothing that the
# engine's tests hold is lost but what userns-remap itself forbids. Run as root, with
# runner and gotest in PATH and the image in /var/lib/hotcell.
set -euo pipefail

work=$(mktemp -d /tmp/userns-remap.XXXXXX)
chmod 711 "$work" # the daemon's remapped root passes through it
socket=$work/docker.sock
export DOCKER_HOST=unix://$socket

fail() { printf 'userns-remap: FAILED: %s\n' "$*" >&2; exit 1; }
finish() {
	[ -z "${daemon:-}" ] || { kill "$daemon" && wait "$daemon"; } || true
	rm -rf --one-file-system "$work"
}
trap finish EXIT

systemctl is-active --quiet containerd || systemctl start containerd
# Its own data, sockets and network namespace: no daemon of the guest's is touched.
unshare --net dockerd --userns-remap=default --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" \
	--host "$DOCKER_HOST" --bridge=none --iptables=false --ip-forward=false >"$work/log" 2>&1 &
daemon=$!
for n in $(seq 300); do
	curl -sf --max-time 5 --unix-socket "$socket" http://docker/_ping >/dev/null && break
	kill -0 "$daemon" 2>/dev/null || { tail "$work/log"; fail "dockerd has ended"; }
	[ "$n" != 300 ] || fail "dockerd does not answer"
	sleep 1
done

# Up to the end of the engine's list of controls.
runner doctor --json | tr -d ' \n' | grep -o '"name":"docker",[^]]*' >"$work/doctor" || true
grep -q '"name":"user_namespace","active":true' "$work/doctor" || { cat "$work/doctor"; fail "doctor does not call user_namespace active"; }

printf '(OUTPUT / "a.csv").write_text("a\\n1\\n")\n6 * 7\n' >"$work/script.py"
runner run --engine docker --policy study-analysis --output "$work/out" --json "$work/script.py" >"$work/result" || { cat "$work/result"; fail "a run"; }
[ -s "$work/out/a.csv" ] || fail "the output cannot be read"
echo 'userns-remap: a run has succeeded, its output can be read'

# Such a daemon itself refuses the host's namespaces and mounts beside its own data. For
# many at once, see checks/docker.sh.
gotest internal/container/docker -test.run 'TestIDs|TestStatus|TestWeak|TestBehaviour$|TestEngine' \
	-test.skip 'TestWeakContainersAreRefused/(host_network|host_processes|output_elsewhere)|TestBehaviour/lifecycle/many_sandboxes_at_once'
echo 'userns-remap: ok'
