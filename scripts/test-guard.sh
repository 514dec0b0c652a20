#!/usr/bin/env bash
# Runs the guard's own tests with the image's own Python and packages: the image's
# root file system, the guard's source bound to /bundle, an empty /tmp and four
# devices, all in a mount namespace that ends with the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

rootfs=$(bin/runner image rootfs python-analysis)
export rootfs
exec unshare --mount --net --pid --fork --propagation private bash -euc '
	mount --bind images/python-analysis/guard "$rootfs/bundle"
	for directory in tmp output dev; do mount -t tmpfs tmpfs "$rootfs/$directory"; done
	for device in null zero random urandom; do
		touch "$rootfs/dev/$device"
		mount --bind "/dev/$device" "$rootfs/dev/$device"
	done
	exec env -i LANG=C.UTF-8 TZ=UTC HOME=/tmp TMPDIR=/tmp MPLBACKEND=agg PYTHONHASHSEED=0 \
		PYTHONDONTWRITEBYTECODE=1 "$(command -v chroot)" "$rootfs" /usr/bin/python3 -sB /bundle/run-tests.py "$@"
' test-guard "$@"
