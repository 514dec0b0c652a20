# What a release is made from and with, for scripts that source it: version, epoch, and an
# environment in which this machine and its user count for nothing.

fail() { echo "$(basename "$0" .sh): $*" >&2; exit 1; }

GO=${GO:-go}
version=${VERSION:-$(scripts/version.sh)}
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
[ -n "$version" ] || fail "git tells no version of these sources: set VERSION, for example v0.1.0"
[[ $version =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]] || fail "VERSION is no version such as v0.1.0: $version"
[[ $epoch =~ ^[0-9]+$ ]] || fail "git tells no time of these sources: set SOURCE_DATE_EPOCH, in seconds since 1970"
[ "$(uname -sm)" = "Linux x86_64" ] || fail "needs Linux on amd64, with Debian's compiler for arm64; this is $(uname -sm)"

# What a user's environment may say of code generation, and of this machine's C.
unset GOFLAGS GOEXPERIMENT GOFIPS140 CC CGO_ENABLED CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_LDFLAGS
export GO GOAMD64=v1 GOARM64=v8.0
umask 022
export LC_ALL=C TZ=UTC
