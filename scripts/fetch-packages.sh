#!/usr/bin/env bash
# fetch-packages.sh NAME SUITE ARCHITECTURE PACKAGE...
# Fetches Debian packages, without what they depend on, into a cache and prints the
# directory that they are unpacked to. The machine's own packages and lists of
# architectures stay as they are. apt verifies the packages by Debian's own keys, as it
# does for those of the image.
set -euo pipefail

name=$1 suite=$2 architecture=$3
shift 3
# Another list is another cache.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hotcell/$name-$suite-$architecture-$(sha256sum <<<"$*" | head --bytes 12)

mkdir -p "$(dirname "$cache")"
exec 9>"$cache.lock"
flock 9 # another run may be fetching them
if [ ! -f "$cache/complete" ]; then
	state=$(mktemp -d)
	trap 'rm -rf "$state"' EXIT
	mkdir -p "$state/lists/partial" "$state/archives/partial" "$state/preferences" "$state/debs" "$state/root"
	touch "$state/status"
	keyring=$(ls /usr/share/keyrings/debian-archive-keyring.* | head -n 1)
	echo "deb [signed-by=$keyring arch=$architecture] ${MIRROR:-http://deb.debian.org/debian} $suite main" >"$state/sources.list"
	options=(
		-qq -o "Dir::State=$state" -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status"
		-o "Dir::Cache=$state" -o "Dir::Cache::Archives=$state/archives" -o "Dir::Etc::SourceList=$state/sources.list"
		-o Dir::Etc::SourceParts=/dev/null -o "Dir::Etc::PreferencesParts=$state/preferences"
		-o Dir::Etc::Preferences=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none
		-o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture"
	)
	apt-get "${options[@]}" update >&2
	(cd "$state/debs" && apt-get "${options[@]}" download "$@" >&2)
	for package in "$state"/debs/*.deb; do dpkg-deb -x "$package" "$state/root"; done
	rm -rf "$cache"
	cp -r "$state/root" "$cache"
	touch "$cache/complete"
fi
echo "$cache"
