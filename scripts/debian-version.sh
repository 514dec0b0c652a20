#!/usr/bin/env bash
# Prints the version of a Debian package: debian-version.sh VERSION SECONDS
#
# VERSION is one of version.sh's, SECONDS the time of its commit. Later sources have a higher
# one, or apt would take an upgrade for a way back and refuse it: the commits behind a tag
# sort behind it, and a candidate before its release. A commit's hash alone says nothing of
# an order, so its time stands before it.
set -euo pipefail

version=$1
if [[ $version =~ ^v[0-9] || $version =~ ^[0-9]+\. ]]; then
	version=$(sed -E 's/^v//; s/-(alpha|beta|rc)/~\1/; s/-/+/; s/-/./g' <<<"$version")
else
	version=0.0.0+git$(date --utc --date "@$2" +%Y%m%d%H%M%S).${version//-/.}
fi
echo "$version-1"
