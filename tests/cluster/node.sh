#!/usr/bin/env bash
# A Kubernetes of one node, as the first process of a pid namespace and in a mount namespace
# of its own: node.sh DIRECTORY CGROUP. It ends when its standard input does, and all that it
# has started ends with it. scripts/with-cluster.sh calls it.
set -euo pipefail
shopt -s inherit_errexit
state=$1 group=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$state"
export PATH=$state/bin:$PATH KUBECONFIG=$state/kubeconfig

fail() { echo "cluster: $*" >&2; exit 1; }

# until_ok COMMAND … tries it until it holds, for a minute, or until a part has ended.
until_ok() {
	local end=$((SECONDS + 60))
	while [ ! -e failed ] && [ "$SECONDS" -lt "$end" ]; do
		if timeout 10 "$@" >/dev/null 2>&1; then return; fi
		sleep 0.2
	done
	fail "could not: $*"
}

# free_port prints one on which nobody listens, outside of the range from which systems give
# to whoever asks for none.
free_port() {
	local port
	while port=$((15000 + RANDOM % 15000)); do
		if ! { true >"/dev/tcp/127.0.0.1/$port" || true >"/dev/tcp/$address/$port"; } 2>/dev/null; then
			echo "$port"
			return
		fi
	done
}

address=$(ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
[ -n "$address" ] || fail "this machine has no address beside loopback, and a kubelet takes none of those"
api=$(free_port)
kubelet=$(free_port)

# Certificates, and a kubeconfig for each who asks the API server.
mkdir -m 700 pki
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=cluster -keyout pki/ca.key -out pki/ca.crt 2>/dev/null
openssl genpkey -algorithm ec -pkeyopt ec_paramgen_curve:prime256v1 -out pki/tokens.key
openssl pkey -in pki/tokens.key -pubout -out pki/tokens.pub
# certify NAME SUBJECT [ADDRESSES]
certify() {
	openssl req -x509 -CA pki/ca.crt -CAkey pki/ca.key -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "$2" \
		-addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth,clientAuth ${3:+-addext "subjectAltName=$3"} \
		-keyout "pki/$1.key" -out "pki/$1.crt" 2>/dev/null
	cat >"pki/$1.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: "https://127.0.0.1:$api", certificate-authority: $state/pki/ca.crt}}]
users: [{name: one, user: {client-certificate: $state/pki/$1.crt, client-key: $state/pki/$1.key}}]
contexts: [{name: one, context: {cluster: one, user: one}}]
current-context: one
END
}
certify api /CN=kube-apiserver "IP:127.0.0.1,IP:10.96.0.1,DNS:kubernetes.default.svc"
certify admin /O=system:masters/CN=admin
certify controllers /O=system:masters/CN=system:kube-controller-manager
certify scheduler /CN=system:kube-scheduler
certify kubelet /O=system:nodes/CN=system:node:node1 "IP:$address"
ln -s pki/admin.kubeconfig kubeconfig

mkdir -p kubelet/seccomp certs.d podlogs parts plugins networks
ln -s kubelet/seccomp seccomp
install -m 755 "$here/loopback.sh" plugins/loopback
ln -s loopback plugins/none # libcni asks for the first by this name, and the network's own has another
echo '{"cniVersion": "1.0.0", "name": "none", "plugins": [{"type": "none"}]}' >networks/none.conflist
for file in containerd.toml kubelet.yaml; do
	sed "s|@STATE@|$state|g; s|@GROUP@|$group|g; s|@ADDRESS@|$address|g; s|@PORT@|$kubelet|g" "$here/$file" >"$file"
done

# What containerd, its shims and the kubelet keep at fixed paths is this node's own.
for place in /run /var/lib /var/log; do
	case $state/ in "$place"/*) fail "$state is where a node has a file system of its own: not in $place" ;; esac
	mount -t tmpfs tmpfs "$place"
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
	mkdir "/sys/fs/cgroup/$group"
else
	for hierarchy in /sys/fs/cgroup/*/; do
		[ ! -w "$hierarchy/cgroup.procs" ] || [ "$hierarchy" = /sys/fs/cgroup/unified/ ] || mkdir "$hierarchy$group"
	done
	for each in cpuset.cpus cpuset.mems; do cat "/sys/fs/cgroup/cpuset/$each" >"/sys/fs/cgroup/cpuset/$group/$each"; done
fi

# keep NAME COMMAND … runs a part, again where it ends, which is told and, before the
# cluster is ready, a failure. While a test has a file
# parts/NAME.stop there, the part is killed, and parts/NAME.stopped says so.
keep() {
	local name=$1 pid
	shift
	while true; do
		"$@" >>"log/$name.log" 2>&1 &
		pid=$!
		while [ ! -e "parts/$name.stop" ] && kill -0 "$pid" 2>/dev/null; do read -rt 0.2 -u "$never" || true; done
		if ! kill -KILL "$pid" 2>/dev/null; then
			echo "cluster: $name has ended: $(tail -n 1 "log/$name.log")" >&2
			if [ ! -e ready ]; then touch failed; return; fi
		fi
		{ wait "$pid" || true; } 2>/dev/null # where bash tells of a killed one
		[ ! -e "parts/$name.stop" ] || touch "parts/$name.stopped"
		while [ -e "parts/$name.stop" ]; do read -rt 0.2 -u "$never" || true; done
		rm -f "parts/$name.stopped"
	done
}
mkfifo never
exec {never}<>never # nothing is ever read from it: a sleep without a process

keep containerd containerd --config containerd.toml &
# Its one member has no peers, and one client, by a socket.
keep etcd etcd --data-dir etcd --unsafe-no-fsync --log-level warn --listen-peer-urls "unix://$state/peer.sock" \
	--listen-client-urls "unix://$state/etcd.sock" --advertise-client-urls http://127.0.0.1:2379 &
until_ok test -S etcd.sock
keep api kube-apiserver --etcd-servers="unix://$state/etcd.sock" --bind-address=127.0.0.1 --secure-port="$api" --advertise-address="$address" \
	--client-ca-file=pki/ca.crt --tls-cert-file=pki/api.crt --tls-private-key-file=pki/api.key \
	--service-account-issuer=https://kubernetes.default.svc --service-account-key-file=pki/tokens.pub --service-account-signing-key-file=pki/tokens.key \
	--kubelet-client-certificate=pki/admin.crt --kubelet-client-key=pki/admin.key --kubelet-certificate-authority=pki/ca.crt --kubelet-preferred-address-types=InternalIP \
	--authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --service-cluster-ip-range=10.96.0.0/24 --profiling=false &
until_ok ctr --address "$state/containerd.sock" version
ctr --address "$state/containerd.sock" --namespace k8s.io images import pause.tar >>log/images.log 2>&1
until_ok kubectl get --raw /readyz
keep controllers kube-controller-manager --kubeconfig=pki/controllers.kubeconfig --leader-elect=false --secure-port=0 \
	--service-account-private-key-file=pki/tokens.key --root-ca-file=pki/ca.crt --profiling=false &
keep scheduler kube-scheduler --kubeconfig=pki/scheduler.kubeconfig --leader-elect=false --secure-port=0 --profiling=false &
keep kubelet kubelet --config=kubelet.yaml --kubeconfig=pki/kubelet.kubeconfig --root-dir="$state/kubelet" --cert-dir="$state/kubelet/pki" \
	--hostname-override=node1 --node-ip="$address" &
until_ok kubectl wait --for=condition=Ready --timeout=5s node/node1
until_ok kubectl get serviceaccount default
touch ready
# End of file, or a byte that nobody writes.
read -r _ || true
