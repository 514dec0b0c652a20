#!/usr/bin/env bash
# Installs from Debian what is missing: setup.sh [docker|cluster|cross|hosts|package|integrations]
#
# runc and libseccomp run the sandboxes, mmdebstrap makes the image. With the
# argument "docker", also Docker Engine, crun, gVisor and newuidmap, which the tests
# need; with "cluster", what a Kubernetes for tests needs; with "cross", what makes runner and image for arm64 on another machine; with
# "hosts", what emulates other machines; with "package", what looks at Debian packages;
# with "integrations", the workflow tools that run the examples of docs/integrations.
set -euo pipefail

packages=(runc libseccomp-dev pkg-config gcc libc6-dev mmdebstrap debian-archive-keyring ca-certificates)
case "${1:-}" in
docker) packages+=(docker.io iptables iproute2 crun runsc curl strace uidmap openssl) ;;
cluster) packages+=(iproute2 openssl procps) ;;
cross)
	packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
	# By what is needed of it: Debian 13 has it in a package of another name, which provides this one.
	[ -e /usr/lib/binfmt.d/qemu-aarch64.conf ] || packages+=(qemu-user-static)
	;;
hosts)
	packages+=(qemu-system-x86 qemu-system-arm e2fsprogs mount cpio xz-utils)
	# The server of the shared directory is a part of Debian 12's qemu, and has left it since.
	[ -e /usr/lib/qemu/virtiofsd ] || [ "$(. /etc/os-release && echo "$VERSION_CODENAME")" = bookworm ] || packages+=(virtiofsd)
	;;
package) packages+=(lintian man-db openssl) ;;
integrations) packages+=(slurmctld slurmd slurm-client munge snakemake cwltool nodejs iproute2 procps curl jq) ;;
esac

missing=()
for package in "${packages[@]}"; do
	status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "setup: not root; as root run: apt-get install ${missing[*]}" >&2
	exit 1
fi
echo "setup: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# policy-rc.d is left alone: where there is no init system, nothing is started.
apt-get install -qq --no-install-recommends "${missing[@]}" >/dev/null
