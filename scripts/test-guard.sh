#!/usr/bin/env bash
# Runs the guard's own tests with the image's own Python and packages: the image's
# root file system, the guard's source bound to /bundle, an empty /tmp and
# /output, all in a mount namespace that ends with the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

rootfs=$(bin/runner image rootfs python-analysis)
export rootfs
exec unshare --mount --net --pid --fork --propagation private bash -euc '
	mount --bind images/python-analysis/guard "$rootfs/bundle"
	mount -t tmpfs tmpfs "$rootfs/tmp"
	mount -t tmpfs tmpfs "$rootfs/output"
	mount -t proc proc "$rootfs/proc"
	exec env -i LANG=C.UTF-8 TZ=UTC HOME=/tmp MPLBACKEND=agg MPLCONFIGDIR=/tmp/matplotlib \
		PYTHONDONTWRITEBYTECODE=1 chroot "$rootfs" /usr/bin/python3 -sBP -W error /bundle/run-tests.py
'
