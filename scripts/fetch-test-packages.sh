#!/usr/bin/env bash
# Fetches what tests and checks the guard (Hypothesis, coverage, mypy, pylint) for the
# image's Python (Debian trixie) into a cache and prints the directory to import it
# from. The image itself holds none of it. apt verifies the packages by Debian's own
# keys, as it does for those of the image.
set -euo pipefail

packages='pylint python3-astroid python3-isort python3-dill python3-platformdirs python3-tomlkit
	python3-hypothesis python3-sortedcontainers python3-attr python3-coverage
	python3-mypy python3-mypy-extensions python3-typing-extensions python3-psutil'
# Another list is another cache.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hotcell/test-packages-trixie-$(sha256sum <<<"$packages" | head --bytes 12)
modules=$cache/usr/lib/python3/dist-packages

mkdir -p "$(dirname "$cache")"
exec 9>"$cache.lock"
flock 9 # another run may be fetching them
if [ ! -f "$cache/complete" ]; then
	state=$(mktemp -d)
	trap 'rm -rf "$state"' EXIT
	mkdir -p "$state/lists/partial" "$state/archives/partial" "$state/preferences" "$state/debs" "$state/root"
	touch "$state/status"
	keyring=$(ls /usr/share/keyrings/debian-archive-keyring.* | head -n 1)
	echo "deb [signed-by=$keyring] ${MIRROR:-http://deb.debian.org/debian} trixie main" >"$state/sources.list"
	options=(
		-qq -o "Dir::State=$state" -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status"
		-o "Dir::Cache=$state" -o "Dir::Cache::Archives=$state/archives" -o "Dir::Etc::SourceList=$state/sources.list"
		-o Dir::Etc::SourceParts=/dev/null -o "Dir::Etc::PreferencesParts=$state/preferences"
		-o Dir::Etc::Preferences=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none
	)
	apt-get "${options[@]}" update >&2
	# shellcheck disable=SC2086  # the list is meant to be split
	(cd "$state/debs" && apt-get "${options[@]}" download $packages >&2)
	for package in "$state"/debs/*.deb; do dpkg-deb -x "$package" "$state/root"; done
	rm -rf "$cache"
	cp -r "$state/root" "$cache"
	touch "$cache/complete"
fi
echo "$modules"
