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

fail() { echo "release: $*" >&2; exit 1; }

GO=${GO:-go}
version=${VERSION:-$(scripts/version.sh)}
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
[ -n "$version" ] || fail "git tells no version of these sources: set VERSION, for example v0.1.0"
[[ $version =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]] || fail "VERSION is no version such as v0.1.0: $version"
[[ $epoch =~ ^[0-9]+$ ]] || fail "git tells no time of these sources: set SOURCE_DATE_EPOCH, in seconds since 1970"
[ "$(uname -sm)" = "Linux x86_64" ] || fail "needs Linux on amd64, with Debian's compiler for arm64; this is $(uname -sm)"
[ $# -gt 0 ] || set -- linux-amd64 linux-arm64 darwin-arm64

# What a user's environment may say of code generation, and of this machine's C.
unset GOFLAGS GOEXPERIMENT GOFIPS140 CC CGO_ENABLED CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_LDFLAGS
export GO GOAMD64=v1 GOARM64=v8.0
umask 022
export LC_ALL=C TZ=UTC

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
