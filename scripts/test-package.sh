#!/usr/bin/env bash
# Installs, upgrades, removes and purges the Debian package where it is to work:
# test-package.sh [SUITE …], bookworm and trixie where none is named. Needs root, and the
# package in dist/ (make package).
#
# Each suite is a directory with Debian's smallest system, into which a mount namespace pivots:
# in a chroot nobody may make a user namespace, and doctor would find another host than there
# is. It is made by mmdebstrap once, with the packages that may be needed already fetched, and
# kept in /var/cache/hotcell by the hash of its recipe. The version before is this one by
# another number.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { echo "test-package: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "needs root: it makes a Debian system, and namespaces"
package=$(find dist -maxdepth 1 -name "hotcell_*_$(dpkg --print-architecture).deb" 2>/dev/null | head -n 1)
[ -n "$package" ] || fail "there is no package for this machine in dist/: make package"
[ $# -gt 0 ] || set -- bookworm trixie

if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$package"
else
	echo "test-package: NOT CHECKED: lintian is not installed" >&2
fi

cache=${HOTCELL_CACHE:-/var/cache/hotcell}
mkdir -p "$cache"
work=$(mktemp -d /var/tmp/hotcell-package.XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT

# The version before.
dpkg-deb --raw-extract "$package" "$work/before"
sed -i 's/^Version: .*/Version: 0.0.0~before-1/' "$work/before/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/before" "$work/before.deb" >/dev/null
rm -rf "$work/before"

# What apt may want in there.
fetched="crun runc libseccomp2 systemd man-db bash-completion"

# base SUITE prints where the archive of a suite's system is.
base() {
	local recipe="$1 minbase $fetched" archive
	archive=$cache/package-$1-$(sha256sum <<<"$recipe" | head --bytes 12).tar
	if [ ! -s "$archive" ]; then
		# shellcheck disable=SC2016 # $1 is the hook's
		mmdebstrap --quiet --format=tar --variant=minbase --skip=cleanup/apt \
			--customize-hook='chroot "$1" apt-get --quiet=2 --download-only --no-install-recommends install '"$fetched" \
			"$1" "$archive.new" ${MIRROR:+"$MIRROR"} >&2
		mv "$archive.new" "$archive"
	fi
	echo "$archive"
}

for suite in "$@"; do
	begun=$SECONDS
	archive=$(base "$suite")
	mkdir "$work/$suite"
	tar --extract --file "$archive" --directory "$work/$suite" --exclude './dev/*'
	cp "$work/before.deb" "$work/$suite/before.deb"
	cp "$package" "$work/$suite/hotcell.deb"
	cp tests/package/inside.sh "$work/$suite/inside.sh"
	unshare --mount --pid --fork --kill-child --uts --ipc --propagation private env -i \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" VERSION="$(dpkg-deb --field "$package" Version)" \
		bash tests/package/enter.sh "$work/$suite" || fail "$suite: see above"
	rm -rf --one-file-system "${work:?}/$suite"
	echo "test-package: $suite holds, $((SECONDS - begun)) s"
done
