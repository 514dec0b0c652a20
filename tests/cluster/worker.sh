#!/usr/bin/env bash
# A node, as the first process of a pid namespace and in a mount namespace of its own:
# worker.sh PLACE NAME NUMBER ADDRESS CGROUP. Its containerd, its kubelet and all that they start
# end with it. node.sh calls it. In PLACE, a directory, are its certificate and kubeconfig
# (pki/kubelet.*), and all that it writes. It looks for what all nodes share in $state.
# shellcheck disable=SC2154 # state is node.sh's
set -euo pipefail
shopt -s inherit_errexit
place=$1 name=$2 number=$3 address=$4 group=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$place"
ready=node.ready
# shellcheck source=tests/cluster/parts.sh
. "$here/parts.sh"
trap '[ -e "$ready" ] || touch failed' EXIT # whoever waits for this node need not
port=$(free_port)

mkdir -p kubelet/seccomp certs.d podlogs plugins networks/pods networks/none
ln -s kubelet/seccomp seccomp
sed "s|@STATE@|$state|g" "$here/bridge.sh" >plugins/bridge
install -m 755 "$here/label.sh" plugins/label
chmod 755 plugins/bridge
ln -s "$state"/plugins.built/{loopback,host-local} plugins
for file in containerd.toml kubelet.yaml pods.conflist; do
	sed "s|@STATE@|$state|g; s|@PLACE@|$place|g; s|@GROUP@|$group|g; s|@ADDRESS@|$address|g; s|@PORT@|$port|g; s|@NUMBER@|$number|g" \
		"$here/$file" >"$file"
done
mv pods.conflist networks/pods
echo '{"cniVersion": "1.0.0", "name": "none", "plugins": [{"type": "label"}]}' >networks/none/none.conflist

# What containerd, its shims and the kubelet keep at fixed paths is this node's own.
for fixed in /run /var/lib /var/log; do
	case $place/ in "$fixed"/*) fail "$place is where a node has a file system of its own: not in $fixed" ;; esac
	mount -t tmpfs tmpfs "$fixed"
done
mkdir -m 1777 /run/lock
# The kernel's settings that the kubelet wants are shown to it, not made.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
	shown=/run/sysctl/${setting%=*}
	mkdir -p "${shown%/*}"
	echo "${setting#*=}" >"$shown"
	mount --bind "$shown" "/proc/sys/${setting%=*}"
done
# In a user namespace the kernel lets nobody mount /proc who does not see one that nothing
# covers (mount_too_revealing, fs/namespace.c).
mkdir /run/proc
mount -t proc proc /run/proc

if [ "$(stat --file-system --format %T /sys/fs/cgroup)" = cgroup2fs ]; then
	mkdir -p "/sys/fs/cgroup/$group"
else
	for hierarchy in /sys/fs/cgroup/*/; do
		[ ! -w "$hierarchy/cgroup.procs" ] || [ "$hierarchy" = /sys/fs/cgroup/unified/ ] || mkdir -p "$hierarchy$group"
	done
	for each in cpuset.cpus cpuset.mems; do
		cat "/sys/fs/cgroup/cpuset/$each" >"/sys/fs/cgroup/cpuset/${group%/*}/$each"
		cat "/sys/fs/cgroup/cpuset/$each" >"/sys/fs/cgroup/cpuset/$group/$each"
	done
fi

keep containerd containerd --config containerd.toml &
until_ok ctr --address "$place/containerd.sock" version
ctr --address "$place/containerd.sock" --namespace k8s.io images import "$state/pause.tar" >>log/images.log 2>&1
until_ok kubectl get --raw /readyz
keep kubelet kubelet --config=kubelet.yaml --kubeconfig=pki/kubelet.kubeconfig --root-dir="$place/kubelet" --cert-dir="$place/kubelet/pki" \
	--hostname-override="$name" --node-ip="$address" &
until_ok kubectl wait --for=condition=Ready --timeout=5s "node/$name"
# A controller takes the taint away that the node joined with, a moment later.
until_ok bash -c 'taints=$(kubectl get node "$1" --output "jsonpath={.spec.taints[*].key}") && [[ $taints != *node.kubernetes.io/not-ready* ]]' - "$name"
touch "$ready"
wait
