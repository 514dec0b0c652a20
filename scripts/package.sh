#!/usr/bin/env bash
# Adds to the release in dist/ (release.sh) what is installed: package.sh [ARCHITECTURE …]
#
# For each ARCHITECTURE (amd64 and arm64, where none is named) a Debian package, a bill of
# materials (CycloneDX) of its binary, and a container image with the binary, what it loads,
# and certificates; then SHA256SUMS of all of dist/ again. RELEASE_KEY names a private key
# (ed25519, PEM) by which openssl signs SHA256SUMS; without it nothing is signed, and that is
# said. What is made depends on the release, these sources and Debian's packages of this
# release alone. dpkg-deb makes the packages: it is what unpacks them, clamps times to
# SOURCE_DATE_EPOCH by itself, and brings no modules along.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/release-environment.sh

[ $# -gt 0 ] || set -- amd64 arm64
# By which the oldest Debian that gets the package has it: bookworm.
glibc_of_bookworm=2.36
for program in dpkg-deb openssl man gzip; do
	command -v "$program" >/dev/null || fail "needs $program, which is not installed"
done
[ -z "${RELEASE_KEY:-}" ] || openssl pkey -in "$RELEASE_KEY" -noout 2>/dev/null || fail "RELEASE_KEY is no private key in PEM: $RELEASE_KEY"
debian=$(scripts/debian-version.sh "$version" "$epoch")
export SOURCE_DATE_EPOCH=$epoch

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/dist" "$stage/man"
artifacts=$stage/artifacts
# -trimpath: what the release has compiled is there already.
"$GO" build -trimpath -buildvcs=false -o "$artifacts" ./scripts/artifacts
HOTCELL_STATE='' "$GO" test -trimpath -buildvcs=false -vet=off -count=1 ./cmd/runner -run '^TestManPages$' -args -man "$stage/man" >/dev/null

# binary ARCHITECTURE prints where the release's binary is, out of its archive.
binary() {
	local name=hotcell-$version-linux-$1
	[ -s "dist/$name.tar.gz" ] || fail "there is no dist/$name.tar.gz: make release"
	tar --extract --gzip --file "dist/$name.tar.gz" --directory "$stage" "$name/runner"
	echo "$stage/$name/runner"
}

# compressed FILE TARGET [MODE] puts a file compressed where Debian wants it so.
compressed() {
	install -D -m 644 /dev/null "$2"
	gzip -9 -n <"$1" >"$2"
}

# tree ARCHITECTURE BINARY DIRECTORY lays out what the package installs.
tree() {
	local root=$3 doc=$3/usr/share/doc/hotcell page
	install -D -m 755 "$2" "$root/usr/bin/runner"
	install -D -m 644 -t "$root/usr/lib/systemd/system" packaging/hotcell.service packaging/hotcell-engine.service
	install -D -m 644 packaging/hotcell.sysusers "$root/usr/lib/sysusers.d/hotcell.conf"
	install -D -m 644 packaging/serve.yaml "$root/etc/hotcell/serve.yaml"
	for page in "$stage"/man/*.1; do compressed "$page" "$root/usr/share/man/man1/$(basename "$page").gz"; done
	for page in docs/*.md; do # what is short stays as it is, as Debian's policy says of documents
		if [ "$(stat -c %s "$page")" -lt 4096 ]; then install -D -m 644 -t "$doc" "$page"; else compressed "$page" "$doc/$(basename "$page").gz"; fi
	done
	install -D -m 644 -t "$doc/examples/monitoring" deploy/monitoring/*
	install -D -m 644 packaging/debian/copyright "$doc/copyright"
	install -D -m 644 packaging/debian/README.Debian "$doc/README.Debian"
	compressed CHANGELOG.md "$doc/changelog.gz"
	compressed <(printf 'hotcell (%s) unstable; urgency=medium\n\n  * Version %s: see changelog.gz.\n\n -- %s  %s\n' \
		"$debian" "$version" "$maintainer" "$(date --utc --rfc-email --date "@$epoch")") "$doc/changelog.Debian.gz"
	compressed "$stage/dist/hotcell-$version-linux-$1.cdx.json" "$doc/sbom.cdx.json.gz"
	install -D -m 644 packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/hotcell"
	# The architectures' are the same, and this one can run here.
	local shell target
	while read -r shell target; do
		install -D -m 644 /dev/null "$root/usr/share/$target"
		"$stage/hotcell-$version-linux-amd64/runner" completion "$shell" >"$root/usr/share/$target"
	done <<-TARGETS
		bash bash-completion/completions/runner
		zsh zsh/vendor-completions/_runner
		fish fish/vendor_completions.d/runner.fish
	TARGETS
}

# package ARCHITECTURE BINARY makes the Debian package.
package() {
	local root=$stage/package-$1 glibc size
	glibc=$("$artifacts" needs "$2" | sed -n 's/^glibc //p')
	[ "$(printf '%s\n' "$glibc" "$glibc_of_bookworm" | sort --version-sort | tail -n 1)" = "$glibc_of_bookworm" ] ||
		fail "the binary for $1 needs glibc $glibc, and bookworm has $glibc_of_bookworm: make releases on Debian 12"
	tree "$1" "$2" "$root"
	size=$(du --apparent-size --summarize --block-size=1K "$root" | cut -f 1)
	mkdir "$root/DEBIAN"
	sed "s/@VERSION@/$debian/; s/@ARCHITECTURE@/$1/; s/@GLIBC@/$glibc/; s/@SIZE@/$size/" packaging/debian/control >"$root/DEBIAN/control"
	install -m 755 -t "$root/DEBIAN" packaging/debian/{postinst,prerm,postrm}
	echo /etc/hotcell/serve.yaml >"$root/DEBIAN/conffiles"
	(cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)
	# What is compressed by several threads depends on how many there are.
	dpkg-deb --root-owner-group --uniform-compression -Zxz --threads-max=1 --build "$root" "$stage/dist/hotcell_${debian}_$1.deb" >/dev/null
}

# image ARCHITECTURE BINARY makes the container image: the binary, what it loads, certificates.
image() {
	local root=$stage/image-$1 libraries loader triplet
	libraries=$(scripts/fetch-packages.sh runtime "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$1" libc6 libseccomp2 ca-certificates)
	case $1 in
	amd64) triplet=x86_64-linux-gnu loader=lib64/ld-linux-x86-64.so.2 ;;
	arm64) triplet=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1 ;;
	esac
	install -D -m 755 "$2" "$root/usr/bin/runner"
	# The loader by the name that the binary has for it, and nothing by a link.
	install -D -m 755 "$(find "$libraries" -name "$(basename "$loader")" -print -quit)" "$root/$loader"
	"$artifacts" needs "$2" | sed -n 's/^library //p' | while read -r library; do
		[ "$library" != "$(basename "$loader")" ] || continue
		install -D -m 644 "$(find "$libraries" -path "*/$triplet/$library" -print -quit)" "$root/usr/lib/$triplet/$library"
	done
	mkdir -p "$root/etc/ssl/certs" "$root/tmp"
	find "$libraries/usr/share/ca-certificates/mozilla" -name '*.crt' -print0 | sort --zero-terminated | xargs --null cat >"$root/etc/ssl/certs/ca-certificates.crt"
	[ "$1" != arm64 ] || starts "$root" "$loader" "$triplet"
	"$artifacts" image "$root" "$1" "$version" "$stage/dist/hotcell-runner-$1.oci.tar"
}

# starts ROOT LOADER TRIPLET: what is there for arm64 starts by emulation, and knows its version.
# That of this machine is started by runc (test-package.sh), which takes nothing from here.
starts() {
	local emulator said
	emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || fail "needs qemu-aarch64-static, which is not installed: make setup-cross"
	said=$("$emulator" "$1/$2" --inhibit-cache --library-path "$1/usr/lib/$3" "$1/usr/bin/runner" version) || fail "the image for arm64 does not start"
	[[ $said == "runner $version "* ]] || fail "the runner in the image for arm64 calls itself \"$said\", not $version"
}

maintainer=$(sed -n 's/^Maintainer: //p' packaging/debian/control)
binary amd64 >/dev/null # for the completions
for architecture in "$@"; do
	[[ $architecture =~ ^(amd64|arm64)$ ]] || fail "nothing is known of the architecture \"$architecture\"; known: amd64, arm64"
	from=$(binary "$architecture")
	"$artifacts" sbom "$from" "$version" >"$stage/dist/hotcell-$version-linux-$architecture.cdx.json"
	package "$architecture" "$from"
	image "$architecture" "$from"
done

rm -f dist/*.deb dist/*.cdx.json dist/*.oci.tar dist/SHA256SUMS*
mv "$stage"/dist/* dist/
(cd dist && sha256sum -- *.tar.gz *.deb *.cdx.json *.oci.tar >SHA256SUMS)
if [ -n "${RELEASE_KEY:-}" ]; then
	openssl pkeyutl -sign -inkey "$RELEASE_KEY" -rawin -in dist/SHA256SUMS -out dist/SHA256SUMS.sig
	echo "package: dist/SHA256SUMS.sig is by the key whose public half is" >&2
	openssl pkey -in "$RELEASE_KEY" -pubout >&2
else
	echo "package: NOT SIGNED: RELEASE_KEY names no key" >&2
fi
cat dist/SHA256SUMS
