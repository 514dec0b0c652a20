#!/usr/bin/env bash
# Runs the guard's own tests with the image's own Python and packages: the image's
# root file system, the guard's source bound to /bundle, an empty /tmp, /proc and four
# devices, all in a mount namespace that ends with the tests. Guards that the tests
# start lock themselves with the shipped stage 2. GUARD_PROGRAM names another program
# of the guard's tree to run there, for example benchmarks/bench.py or check-types.py.
set -euo pipefail
# /dev is no sticky directory: in one, nobody may open a device of another owner to create it.
cd "$(dirname "$0")/.."

rootfs=$(bin/runner image rootfs python-analysis)
GUARD_SECCOMP=$(bin/runner seccomp export python-analysis.user --format bpf | base64 --wrap 0)
packages=$(scripts/fetch-test-packages.sh)
GUARD_PROGRAM=${GUARD_PROGRAM:-run-tests.py}
export rootfs GUARD_SECCOMP GUARD_PROGRAM packages
exec unshare --mount --net --pid --fork --propagation private bash -euc '
	# Root could write to the image, and what is written there would be in every sandbox.
	mount --bind "$rootfs" "$rootfs"
	mount -o remount,bind,ro "$rootfs"
	mount --bind images/python-analysis/guard "$rootfs/bundle"
	mount --bind policies "$rootfs/run"
	for directory in tmp output; do mount -t tmpfs tmpfs "$rootfs/$directory"; done
	mount -t tmpfs -o mode=755 tmpfs "$rootfs/dev"
	mkdir "$rootfs/tmp/packages"
	mount --bind "$packages" "$rootfs/tmp/packages"
	mount -o remount,bind,ro "$rootfs/tmp/packages"
	# Other Python whose style is checked.
	for directory in images/python-analysis/recipe internal/container/kubernetes/programs tests/security; do
		mkdir -p "$rootfs/tmp/checked/$directory"
		mount --bind "$directory" "$rootfs/tmp/checked/$directory"
		mount -o remount,bind,ro "$rootfs/tmp/checked/$directory"
	done
	mount -t proc proc "$rootfs/proc"
	for device in null zero random urandom; do
		touch "$rootfs/dev/$device"
		mount --bind "/dev/$device" "$rootfs/dev/$device"
	done
	exec env -i LANG=C.UTF-8 TZ=UTC HOME=/tmp TMPDIR=/tmp MPLBACKEND=agg PYTHONHASHSEED=0 \
		PYTHONDONTWRITEBYTECODE=1 GUARD_SECCOMP="$GUARD_SECCOMP" POLICIES=/run \
		setpriv --no-new-privs "$(command -v chroot)" "$rootfs" /usr/bin/python3 -sB \
		"/bundle/$GUARD_PROGRAM" "$@"
' test-guard "$@"
