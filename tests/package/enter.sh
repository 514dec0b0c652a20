#!/usr/bin/env bash
# Makes a directory the root of this mount namespace, and runs inside.sh there: enter.sh DIRECTORY
# A root of a chroot would not be that of the namespace, in which user namespaces are refused.
set -euo pipefail

mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for device in null zero full random urandom tty; do
	touch "$1/dev/$device"
	mount --bind "/dev/$device" "$1/dev/$device"
done
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
ln -s pts/ptmx "$1/dev/ptmx"
ln -s /proc/self/fd "$1/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
cp /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null || true
cd "$1"
mkdir .outside
pivot_root . .outside
exec chroot . bash -c 'umount --lazy /.outside && rmdir /.outside && exec bash /inside.sh' </dev/null
