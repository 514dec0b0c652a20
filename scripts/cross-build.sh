#!/usr/bin/env bash
# cross-build.sh arm64: builds bin/runner-arm64 on a machine of another architecture.
# With further arguments, runs that go command instead: cross-build.sh arm64 test -c …
#
# The compiler and its libc come from Debian's cross toolchain (setup.sh cross),
# libseccomp from a cache beside the machine's own packages. All are of this machine's
# release, so that the binary asks of the other machine what a native one would.
set -euo pipefail

case "${1:-}" in
arm64) triplet=aarch64-linux-gnu ;;
*) echo "cross-build: no toolchain is known for \"${1:-}\"; known: arm64" >&2; exit 2 ;;
esac
architecture=$1
shift
scripts=$(dirname "${BASH_SOURCE[0]}")
[ $# -gt 0 ] || set -- build -ldflags "-X main.linkedVersion=$("$scripts/version.sh")" -o "bin/runner-$architecture" ./cmd/runner

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
sysroot=$("$scripts/fetch-packages.sh" sysroot "$suite" "$architecture" libseccomp2 libseccomp-dev)
export CGO_ENABLED=1 GOOS=linux GOARCH=$architecture CC=$triplet-gcc
export PKG_CONFIG_LIBDIR=$sysroot/usr/lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot
# The sysroot's directories are pkg-config's "system" ones, which it leaves out.
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
exec "${GO:-go}" "$@"
