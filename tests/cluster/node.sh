#!/usr/bin/env bash
# A Kubernetes, as the first process of a pid namespace and in a mount namespace of its own:
# node.sh DIRECTORY CGROUP. It has one node, and a second one while there is a file node2.wanted.
# It ends when its standard input does, and all that it has started ends with it.
# scripts/with-cluster.sh calls it.
set -euo pipefail
shopt -s inherit_errexit
export state=$1
group=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$state"
export PATH=$state/bin:$PATH KUBECONFIG=$state/kubeconfig
ready=ready
# shellcheck source=tests/cluster/parts.sh
. "$here/parts.sh"

address=$(ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
[ -n "$address" ] || fail "this machine has no address beside loopback, and a kubelet takes none of those"
api=$(free_port)

# Certificates, and a kubeconfig for each who asks the API server.
mkdir -m 700 pki
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=cluster -keyout pki/ca.key -out pki/ca.crt 2>/dev/null
openssl genpkey -algorithm ec -pkeyopt ec_paramgen_curve:prime256v1 -out pki/tokens.key
openssl pkey -in pki/tokens.key -pubout -out pki/tokens.pub
# certify PATH SUBJECT [ADDRESSES] makes PATH.key, PATH.crt and PATH.kubeconfig.
certify() {
	openssl req -x509 -CA pki/ca.crt -CAkey pki/ca.key -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "$2" \
		-addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth,clientAuth ${3:+-addext "subjectAltName=$3"} \
		-keyout "$1.key" -out "$1.crt" 2>/dev/null
	cat >"$1.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: "https://127.0.0.1:$api", certificate-authority: $state/pki/ca.crt}}]
users: [{name: one, user: {client-certificate: $state/$1.crt, client-key: $state/$1.key}}]
contexts: [{name: one, context: {cluster: one, user: one}}]
current-context: one
END
}
certify pki/api /CN=kube-apiserver "IP:127.0.0.1,IP:10.96.0.1,DNS:kubernetes.default.svc"
certify pki/admin /O=system:masters/CN=admin
certify pki/controllers /O=system:masters/CN=system:kube-controller-manager
certify pki/scheduler /CN=system:kube-scheduler
ln -s pki/admin.kubeconfig kubeconfig

# The pods' network: that of no machine.
touch pods.net
unshare --net=pods.net ip link set lo up

# start_node NUMBER PLACE starts a node in the background. Its process ends all of it.
start_node() {
	mkdir -p "$2/pki"
	certify "$2/pki/kubelet" "/O=system:nodes/CN=system:node:node$1" "IP:$address"
	unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
		"$here/worker.sh" "$(realpath "$2")" "node$1" "$1" "$address" "$group/node$1" </dev/null &
	worker=$!
}
start_node 1 .

# Its one member has no peers, and one client, by a socket.
keep etcd etcd --data-dir etcd --unsafe-no-fsync --log-level warn --listen-peer-urls "unix://$state/peer.sock" \
	--listen-client-urls "unix://$state/etcd.sock" --advertise-client-urls http://127.0.0.1:2379 &
until_ok test -S etcd.sock
keep api kube-apiserver --etcd-servers="unix://$state/etcd.sock" --bind-address=127.0.0.1 --secure-port="$api" --advertise-address="$address" \
	--client-ca-file=pki/ca.crt --tls-cert-file=pki/api.crt --tls-private-key-file=pki/api.key \
	--service-account-issuer=https://kubernetes.default.svc --service-account-key-file=pki/tokens.pub --service-account-signing-key-file=pki/tokens.key \
	--kubelet-client-certificate=pki/admin.crt --kubelet-client-key=pki/admin.key --kubelet-certificate-authority=pki/ca.crt --kubelet-preferred-address-types=InternalIP \
	--authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --service-cluster-ip-range=10.96.0.0/24 --profiling=false &
until_ok kubectl get --raw /readyz
keep controllers kube-controller-manager --kubeconfig=pki/controllers.kubeconfig --leader-elect=false --secure-port=0 \
	--service-account-private-key-file=pki/tokens.key --root-ca-file=pki/ca.crt --profiling=false &
keep scheduler kube-scheduler --kubeconfig=pki/scheduler.kubeconfig --leader-elect=false --secure-port=0 --profiling=false &
until_ok kubectl apply -f "$here/runtimes.yaml"
until_ok test -e node.ready
until_ok kubectl get serviceaccount default

# second_node starts the second node where it is wanted and is not there, and ends it where it is
# there and is not wanted. A test then removes what the API server knows of it.
second=
second_node() {
	if [ -e node2.wanted ] && [ -z "$second" ]; then
		mkdir node2
		ln -s ../bin node2/bin
		start_node 2 node2
		second=$worker
	elif [ ! -e node2.wanted ] && [ -n "$second" ]; then
		kill -KILL "$second" 2>/dev/null || true
		{ wait "$second" || true; } 2>/dev/null
		second=
		# What was killed can be there a moment longer.
		until rm -rf --one-file-system node2 2>/dev/null; do read -rt 0.2 -u "$never" || true; done
		find /sys/fs/cgroup -depth -type d \( -path "*/$group/node2" -o -path "*/$group/node2/*" \) -delete 2>/dev/null || true
	fi
}
second_node
[ -z "$second" ] || until_ok test -e node2/node.ready
touch ready
# Until the end of standard input, or a byte that nobody writes.
while code=0; read -rt 0.2 _ || code=$?; [ "$code" -gt 128 ]; do second_node; done
