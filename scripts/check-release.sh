#!/usr/bin/env bash
# Checks that what release.sh made in dist/ can be made again: builds the same sources in
# another directory, with nothing in Go's build cache and libseccomp for arm64 elsewhere,
# and compares the sums.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ -s dist/SHA256SUMS ] || { echo "check-release: there is no release in dist/: make release" >&2; exit 1; }
VERSION=$(scripts/version.sh)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH

again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
mkdir "$again/sources"
# What git tracks or would track, as it is now.
git ls-files -z --cached --others --exclude-standard --deduplicate |
	while IFS= read -r -d '' file; do if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi; done |
	tar --create --no-recursion --null --files-from - | tar --extract --directory "$again/sources"
mapfile -t systems < <(sed -nE "s/.* +hotcell-.*-([a-z]+-[a-z0-9]+)\.tar\.gz$/\1/p" dist/SHA256SUMS)
mapfile -t packages < <(sed -nE "s/.* +hotcell_.*_([a-z0-9]+)\.deb$/\1/p" dist/SHA256SUMS)
mkdir -p "$again/cache/hotcell"
find "${XDG_CACHE_HOME:-$HOME/.cache}/hotcell" -maxdepth 1 \( -name 'sysroot-*' -o -name 'runtime-*' \) -exec cp -r --target-directory "$again/cache/hotcell" {} +
XDG_CACHE_HOME="$again/cache" GOCACHE="$again/cache/go" "$again/sources/scripts/release.sh" "${systems[@]}" >/dev/null
[ ${#packages[@]} = 0 ] || XDG_CACHE_HOME="$again/cache" GOCACHE="$again/cache/go" RELEASE_KEY='' "$again/sources/scripts/package.sh" "${packages[@]}" >/dev/null 2>&1 ||
	{ echo "check-release: the packages could not be made again" >&2; exit 1; }
diff dist/SHA256SUMS "$again/sources/dist/SHA256SUMS" || { echo "check-release: the same sources made another release" >&2; exit 1; }
(cd dist && sha256sum --check --strict SHA256SUMS)
