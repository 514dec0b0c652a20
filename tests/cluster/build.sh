#!/usr/bin/env bash
# Builds what a Kubernetes of one node is made of, and prints the directory that has it:
# build.sh. Nothing but Go modules: their sums are in kubernetes/go.sum, or looked up in
# Go's checksum database.
#
# The directory is kept in /var/cache/hotcell by the hash of its recipe, and never written
# to afterwards. Go's build cache, where it is kept, has all but the linking: half a minute.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")"

kubernetes=v1.36.3 containerd=v2.4.2 runc=v1.5.2 plugins=v1.10.0
go=${GO:-go}

fail() { echo "cluster: $*" >&2; exit 1; }
for program in "$go" gcc pkg-config; do
	command -v "$program" >/dev/null || fail "needs $program, which is not installed: make setup"
done
pkg-config --exists libseccomp || fail "needs libseccomp-dev, without which runc knows no seccomp: make setup"

recipe=$({ cat build.sh kubernetes/go.mod kubernetes/go.sum kubernetes/main.go kubernetes/pause/main.go; "$go" env GOVERSION GOARCH; } | sha256sum)
cache=${HOTCELL_CACHE:-/var/cache/hotcell}
built=$cache/cluster-${recipe:0:12}
if [ -d "$built" ]; then
	echo "$built"
	exit
fi

mkdir -p "$cache"
new=$(mktemp -d "$built.XXXXXX")
trap 'rm -rf "$new"' EXIT
mkdir "$new/bin"
# The same flags for all, or what they have in common is compiled more than once.
export GOFLAGS="-buildvcs=false -trimpath ${GOFLAGS:-}" GOBIN=$new/bin CGO_ENABLED=0

# step WHAT COMMAND … says on a terminal how long it has been going on, and how long it took.
step() {
	local what=$1 begun=$SECONDS pid code=0
	shift
	"$@" >&2 &
	pid=$!
	while [ -t 2 ] && kill -0 "$pid" 2>/dev/null; do
		printf '\rcluster: building %s: %d s ' "$what" $((SECONDS - begun)) >&2
		sleep 1
	done
	wait "$pid" || code=$?
	[ ! -t 2 ] || printf '\r\e[K' >&2
	[ "$code" = 0 ] || fail "$what could not be built"
	echo "cluster: built $what in $((SECONDS - begun)) s" >&2
}
echo "cluster: building Kubernetes $kubernetes, once: up to 20 minutes where Go's build cache is empty, or half a minute" >&2

version="-X k8s.io/component-base/version.gitVersion=$kubernetes -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"
step Kubernetes "$go" -C kubernetes build -ldflags "-s -w $version" -o "$new/bin/kubernetes" .
for part in etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl; do
	ln -s kubernetes "$new/bin/$part"
done
module=github.com/containerd/containerd/v2
step containerd "$go" install -tags "urfave_cli_no_docs no_btrfs no_zfs no_devmapper no_tracing" \
	-ldflags "-s -w -X $module/version.Version=$containerd" "$module"/cmd/{containerd,containerd-shim-runc-v2,ctr}@"$containerd"
step runc env CGO_ENABLED=1 "$go" install -tags "seccomp urfave_cli_no_docs" -ldflags "-s -w" "github.com/opencontainers/runc@$runc"
module=github.com/containernetworking/plugins/plugins
step "network plugins" env GOBIN="$new/plugins" "$go" install -ldflags "-s -w" "$module"/{main/bridge,main/loopback,ipam/host-local}@"$plugins"
# An image with one program, as `docker save` writes it.
mkdir "$new/pause"
step pause "$go" -C kubernetes build -ldflags "-s -w" -o "$new/pause/pause" ./pause
cd "$new/pause"
tar --create --file layer.tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner pause
layer=$(sha256sum layer.tar)
printf '{"architecture": "%s", "os": "linux", "config": {"Entrypoint": ["/pause"]}, "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}' \
	"$("$go" env GOARCH)" "${layer%% *}" >config.json
printf '[{"Config": "config.json", "RepoTags": ["localhost/pause:1"], "Layers": ["layer.tar"]}]' >manifest.json
tar --create --file ../pause.tar manifest.json config.json layer.tar
cd ..
rm -r pause
chmod 755 .

# Somebody else may have made it meanwhile, of the same recipe.
mv --no-target-directory "$new" "$built" 2>/dev/null || [ -d "$built" ] || fail "cannot write $built"
echo "$built"
