#!/usr/bin/env bash
# Checks that this machine can build the runner, and says what is missing and how to
# get it: check-build.sh [arm64], where arm64 stands for what cross-build.sh needs too.
# It installs nothing, and any user may run it: setup.sh is what installs.
set -euo pipefail

missing=()
# need PACKAGE WHY COMMAND … notes PACKAGE where COMMAND fails.
need() {
	local package=$1 why=$2
	shift 2
	"$@" >/dev/null 2>&1 || missing+=("$package: $why")
}

compiles() { "${cc[@]}" -x c -c -o /dev/null - <<<"$1"; }

GO=${GO:-go}
read -ra cc <<<"${CC:-gcc}" # as the go command reads it
need "Go 1.26 or later (https://go.dev/dl)" "\"$GO\" is not in PATH" "$GO" version
# The command's seccomp filters are made by libseccomp, which is in C. On other systems
# it drives Docker only, and needs no C.
if [ "$(uname)" = Linux ]; then
	if "${cc[@]}" --version >/dev/null 2>&1; then
		need libc6-dev "headers of the C library" compiles '#include <stdlib.h>'
	else
		missing+=("gcc: a C compiler; \"${CC:-gcc}\" does not start")
	fi
	if pkg-config --version >/dev/null 2>&1; then
		need libseccomp-dev "headers of libseccomp" pkg-config --exists libseccomp
	else
		missing+=("pkg-config: finds libseccomp" "libseccomp-dev: headers of libseccomp (pkg-config is needed to look for them)")
	fi
	[ "${CGO_ENABLED:-1}" = 1 ] || missing+=("cgo: CGO_ENABLED=$CGO_ENABLED switches it off")
fi
setup=setup
if [ "${1:-}" = arm64 ]; then
	setup=setup-cross
	cc=(aarch64-linux-gnu-gcc)
	if "${cc[@]}" --version >/dev/null 2>&1; then
		need libc6-dev-arm64-cross "headers of the C library for arm64" compiles '#include <stdlib.h>'
	else
		missing+=("gcc-aarch64-linux-gnu: a C compiler for arm64")
	fi
fi
[ ${#missing[@]} -gt 0 ] || exit 0

{
	echo "build: this machine lacks:"
	printf '  %s\n' "${missing[@]}"
	[ "$(uname)" != Linux ] ||
		echo "On Debian and Ubuntu, \`make $setup\` as root installs these packages (but not Go). Other systems have them under similar names."
} >&2
exit 1
