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

# Who has the public half finds what was signed, by the command of docs/operations.md, and nothing
# that was changed since.
verify=$(grep '^openssl pkeyutl -verify' docs/operations.md)
verified() { (cd "$1" && eval "$verify") >/dev/null 2>&1; }
if [ -n "${RELEASE_PUB:-}" ]; then
	mkdir "$work/signed"
	cp dist/SHA256SUMS dist/SHA256SUMS.sig "$package" "$work/signed"
	cp "$RELEASE_PUB" "$work/signed/release.pub"
	verified "$work/signed" || fail "what was signed is not verified by: $verify"
	echo >>"$work/signed/$(basename "$package")"
	! verified "$work/signed" || fail "a package that was changed is verified"
	cp "$package" "$work/signed"
	sed -i '1s/^./x/' "$work/signed/SHA256SUMS"
	! verified "$work/signed" || fail "sums that were changed are verified"
	echo "test-package: what is signed is verified, and nothing else"
else
	echo "test-package: NOT CHECKED: the signature: RELEASE_PUB names no public key (make test-package)" >&2
fi

# contained COMMAND… runs a command of the container image, as its user and with nothing but what is
# in it: by the runtime alone, for there is no daemon.
contained() {
	local words
	words=$(printf ', "%s"' "$@")
	(cd "$work/contained" && rm -f config.json && runc spec)
	sed -i "s|\"terminal\": true|\"terminal\": false|; s|\"sh\"|\"/usr/bin/runner\"$words|; s|\"uid\": 0,|\"uid\": 65532,|; s|\"gid\": 0\$|\"gid\": 65532|; s|\"readonly\": true|\"readonly\": false|" "$work/contained/config.json"
	runc --root "$work/runc" run --bundle "$work/contained" "hotcell-package-$$"
}

image=dist/hotcell-runner-$(dpkg --print-architecture).oci.tar
[ -s "$image" ] || fail "there is no $image: make package"
mkdir -p "$work/image" "$work/contained/rootfs"
tar --extract --file "$image" --directory "$work/image"
manifest=$(sed -n 's/.*"digest":"sha256:\([0-9a-f]*\)".*/\1/p' "$work/image/index.json")
layers=$(grep --only-matching '"layers":.*' "$work/image/blobs/sha256/$manifest" | grep --only-matching 'sha256:[0-9a-f]*')
for layer in $layers; do tar --extract --gzip --file "$work/image/blobs/sha256/${layer#sha256:}" --directory "$work/contained/rootfs"; done
contained version >"$work/version" || fail "the image's runner does not start"
grep --quiet '^runner ' "$work/version" || fail "the image's runner is none: $(cat "$work/version")"
code=0
contained doctor >"$work/doctor" 2>&1 || code=$?
# No engine can be had in there, which doctor tells, and which is no failure to look.
{ [ "$code" = 1 ] && grep --quiet 'engine' "$work/doctor"; } || { cat "$work/doctor" >&2; fail "doctor in the image ended with $code"; }
echo "test-package: $image holds: $(cat "$work/version")"

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
