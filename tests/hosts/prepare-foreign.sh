#!/bin/sh
# prepare-foreign.sh ROOT DIR: makes a tree of another architecture's packages, which
# have been extracted and not configured, a guest with an init of its own: a host with
# cgroup v2 that nobody manages. What boots it is put into DIR.
set -eu
root=$1 dir=$2

ln -sf gawk "$root/usr/bin/awk"
for file in passwd group; do cp "$root/usr/share/base-passwd/$file.master" "$root/etc/$file"; done
echo hotcell-guest >"$root/etc/hostname"
echo '127.0.0.1 localhost hotcell-guest' >"$root/etc/hosts"
mkdir -p "$root/share"

cat >"$root/sbin/hotcell-init" <<'INIT'
#!/bin/bash
export PATH=/share/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
mount -t proc -o nosuid,nodev,noexec proc /proc
mount -t sysfs -o nosuid,nodev,noexec sys /sys
mountpoint -q /dev || mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts -o gid=5,mode=620 devpts /dev/pts
mount -t tmpfs -o nosuid,nodev,mode=1777 shm /dev/shm
ln -sf /proc/self/fd /dev/fd
mount -t tmpfs -o nosuid,nodev,mode=755 run /run
mount -t tmpfs -o nosuid,nodev,mode=1777 tmp /tmp
mkdir -p /run/lock
mount -t cgroup2 -o nosuid,nodev,noexec,nsdelegate,memory_recursiveprot cgroup2 /sys/fs/cgroup
mount -t securityfs none /sys/kernel/security
hostname -F /etc/hostname
ip link set lo up
mount -t virtiofs hotcell /share
for port in /sys/class/virtio-ports/*; do
	[ "$(cat "$port/name")" != hotcell ] || exec 3>"/dev/${port##*/}"
done
cd /root
setsid bash /share/job.sh >&3 2>&3 </dev/null
sync
busybox poweroff -f
INIT
chmod 755 "$root/sbin/hotcell-init"

# Nothing of its own could make its initial file system here: all that it must do is to
# mount the disk.
work=$(mktemp -d)
mkdir "$work/bin" "$work/dev" "$work/proc" "$work/root"
cp "$root/usr/bin/busybox" "$work/bin/"
xz --decompress --stdout "$root"/usr/lib/modules/*/kernel/drivers/block/virtio_blk.ko.xz >"$work/virtio_blk.ko"
cat >"$work/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox insmod /virtio_blk.ko
/bin/busybox mount -t ext4 -o noatime /dev/vda /root
exec /bin/busybox switch_root /root /sbin/hotcell-init
INIT
chmod 755 "$work/init"
(cd "$work" && find . | cpio --create --format=newc --quiet | gzip -1) >"$dir/initrd.img"
rm -rf "$work"
cp "$root"/boot/vmlinuz-* "$dir/vmlinuz"
rm -rf "$root"/dev/*
