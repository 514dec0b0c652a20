#!/usr/bin/env bash
# Installs from Debian what is missing: setup.sh [docker]
#
# runc and libseccomp run the sandboxes, mmdebstrap makes the image. With the
# argument "docker", also Docker Engine, crun and gVisor, which the tests need.
set -euo pipefail

packages=(runc libseccomp-dev pkg-config gcc libc6-dev mmdebstrap debian-archive-keyring ca-certificates)
if [ "${1:-}" = docker ]; then
	packages+=(docker.io iptables iproute2 crun runsc curl strace)
fi

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
