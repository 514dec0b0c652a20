#!/usr/bin/env bash
# Runs a command while a Kubernetes of one node answers, or of HOTCELL_TEST_NODES=2:
# with-cluster.sh COMMAND [ARG ...]
#
# The command finds KUBECONFIG, and HOTCELL_TEST_CLUSTER, the cluster's directory
# (tests/cluster/README.md). A cluster that answers in the directory of that name is used and
# left alone. Otherwise one is started for the command, there or in a directory of its own,
# of which nothing is left afterwards. It takes ports that are free, so that there may be
# several.
#
# All of it is in a pid namespace whose first process ends when this script does, in
# whatever way: it reads a pipe that only this script holds.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() { echo "with-cluster: $*" >&2; exit 1; }
[ $# -gt 0 ] || fail "names no command: with-cluster.sh COMMAND [ARG ...]"
[ "$(id -u)" = 0 ] || fail "needs root: it makes containers"
case ${HOTCELL_TEST_NODES:=1} in 1 | 2) ;; *) fail "HOTCELL_TEST_NODES=$HOTCELL_TEST_NODES: a cluster has 1 or 2" ;; esac

state=${HOTCELL_TEST_CLUSTER:-}
if [ -n "$state" ] && [ -e "$state/ready" ] &&
	"$state/bin/kubectl" --kubeconfig "$state/kubeconfig" --request-timeout 5s get --raw /readyz >/dev/null 2>&1; then
	KUBECONFIG=$state/kubeconfig exec "$@"
fi

for program in unshare nsenter setpriv pkill ip openssl; do
	command -v "$program" >/dev/null || fail "needs $program, which is not installed: make setup-cluster"
done
built=$("$root/tests/cluster/build.sh")
if [ -n "$state" ]; then
	mkdir -p "$state"
	state=$(cd "$state" && pwd)
	[ -z "$(ls -A "$state")" ] || fail "in $state no cluster answers, and it is not empty: remove it"
else
	state=$(mktemp -d /var/tmp/hotcell-cluster.XXXXXX)
fi
ln -s "$built/bin" "$state/bin"
ln -s "$built/plugins" "$state/plugins.built"
cp "$built/pause.tar" "$state"
chmod 755 "$state" # pods' users pass through it

# Its control groups have its own name, wherever the hierarchies are. Those of one that was
# killed are still there.
groups=hotcell-cluster-$$
remove_groups() { find /sys/fs/cgroup -depth -type d \( -path "*/$1" -o -path "*/$1/*" \) -delete 2>/dev/null || true; }
for left in $(find /sys/fs/cgroup -maxdepth 2 -type d -name 'hotcell-cluster-*' -printf '%f\n' 2>/dev/null | sort -u); do
	kill -0 "${left##*-}" 2>/dev/null || remove_groups "$left"
done
[ "$HOTCELL_TEST_NODES" = 1 ] || touch "$state/node2.wanted"
mkdir "$state/log"
exec {hold}> >(exec unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
	"$root/tests/cluster/node.sh" "$state" "$groups")
node=$!
command=
# shellcheck disable=SC2317 # traps call it
stop() {
	trap - INT TERM HUP EXIT
	[ -z "$command" ] || { kill -TERM "$command" 2>/dev/null || true; wait "$command" 2>/dev/null || true; }
	exec {hold}>&-
	[ -e "$state/ready" ] || pkill -KILL --parent "$node" || true # what is still starting reads nothing
	wait "$node" 2>/dev/null || true
	remove_groups "$groups"
	rm -rf --one-file-system "$state"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

for _ in $(seq 1200); do
	[ ! -e "$state/ready" ] || break
	kill -0 "$node" 2>/dev/null || break
	sleep 0.1
done
if [ ! -e "$state/ready" ]; then
	tail -n 5 "$state"/log/*.log 2>/dev/null >&2 || true
	fail "no cluster answers: see above"
fi

export HOTCELL_TEST_CLUSTER=$state KUBECONFIG=$state/kubeconfig
# In the background, where a signal to this script is not kept waiting; what a shell ignores
# for such a command is not ignored. It does not get the pipe, and ends with this script.
setpriv --pdeathsig TERM env --default-signal=INT,QUIT "$@" <&0 {hold}>&- &
command=$!
code=0
wait "$command" || code=$?
command=
exit "$code"
