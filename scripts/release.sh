#!/usr/bin/env bash
# Makes what a release consists of, in dist/: release.sh [SYSTEM …]
#
# For each SYSTEM (all of them, where none is named) hotcell-VERSION-SYSTEM.tar.gz with
# the binary, LICENSE, README and CHANGELOG, and SHA256SUMS of them all. Any user may run
# it. What is made depends on the sources, their version, their commit's time, Go's
# release and this machine's release of Debian; not on directory, user, clock or umask.
# VERSION and SOURCE_DATE_EPOCH (seconds) stand in for git, where the sources have none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. scripts/release-environment.sh
[ $# -gt 0 ] || set -- linux-amd64 linux-arm64 darwin-arm64

# prepared SYSTEM: whether it is known, and this machine has what its binary is made with.
prepared() {
	case $1 in
	linux-amd64 | darwin-arm64) scripts/check-build.sh ;;
	linux-arm64) scripts/check-build.sh arm64 ;;
	*) fail "nothing is known of the system \"$1\"; known: linux-amd64, linux-arm64, darwin-arm64" ;;
	esac
}

# compile SYSTEM FILE: without paths of this machine, git's state, symbols and debugging
# information, in which the C compiler notes where the headers are. With C also without
# Go's id of the build, into which goes where libseccomp is; macOS wants a UUID made of it.
compile() {
	local id=-buildid=
	[ "$1" != darwin-arm64 ] || id=
	local flags=(build -trimpath -buildvcs=false -ldflags "-s -w $id -X main.linkedVersion=$version" -o "$2" ./cmd/runner)
	case $1 in
	linux-amd64) GOOS=linux GOARCH=amd64 CGO_ENABLED=1 "$GO" "${flags[@]}" ;;
	linux-arm64) scripts/cross-build.sh arm64 "${flags[@]}" ;;
	darwin-arm64) GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 "$GO" "${flags[@]}" ;; # the docker engine only
	esac
}

# check SYSTEM FILE: for which system it is, and that it knows its version. It says so
# itself where it can run here.
check() {
	local settings
	settings=$("$GO" version -m "$2")
	grep -qx "	build	GOOS=${1%-*}" <<<"$settings" && grep -qx "	build	GOARCH=${1#*-}" <<<"$settings" ||
		fail "$1: the binary is for another system"
	grep -aqF "$version" "$2" || fail "$1: the binary does not hold the version $version"
	[ "$1" != linux-amd64 ] || [[ $("$2" version) == "runner $version "* ]] || fail "$1: it calls itself \"$("$2" version)\", not $version"
}

for system in "$@"; do prepared "$system"; done
# Whole or not at all.
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/dist"
for system in "$@"; do
	name=hotcell-$version-$system
	mkdir "$stage/$name"
	compile "$system" "$stage/$name/runner"
	check "$system" "$stage/$name/runner"
	cp LICENSE README.md CHANGELOG.md "$stage/$name"
	tar --create --directory "$stage" --format ustar --sort name --mtime "@$epoch" --owner 0 --group 0 --numeric-owner \
		--mode u=rwX,go=rX "$name" | gzip -n -9 >"$stage/dist/$name.tar.gz"
done
(cd "$stage/dist" && sha256sum -- *.tar.gz >SHA256SUMS)
rm -rf dist
mv "$stage/dist" dist
cat dist/SHA256SUMS
