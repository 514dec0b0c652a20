#!/bin/sh
# prepare.sh ROOT DIR: makes a tree of Debian packages a guest, which mounts the shared
# directory and runs the job in it once it is up. What boots it is put into DIR.
set -eu
root=$1 dir=$2

echo hotcell-guest >"$root/etc/hostname"
echo '127.0.0.1 localhost hotcell-guest' >"$root/etc/hosts"
cat >"$root/etc/fstab" <<'FSTAB'
/dev/vda / ext4 defaults,noatime 0 1
hotcell /share virtiofs defaults,nofail 0 0
FSTAB
mkdir -p "$root/share"
# Whoever runs sandboxes without root; useradd gives him subordinate ids.
chroot "$root" useradd --create-home --shell /bin/bash --uid 1000 alice

units=$root/etc/systemd/system
# What would only take the emulated processor's time, and the console's getty, which
# would hang up what is written there.
for unit in serial-getty@ttyS0.service serial-getty@ttyAMA0.service getty@tty1.service getty.target apt-daily.timer \
	apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_reap.service e2scrub_all.timer fstrim.timer logrotate.timer \
	man-db.timer systemd-timesyncd.service podman-auto-update.timer podman-restart.service podman-clean-transient.service; do
	ln -sf /dev/null "$units/$unit"
done
# The checks start the daemons that they need.
for unit in docker.service docker.socket containerd.service podman.service podman.socket; do
	rm -f "$units"/*/"$unit"
done

cat >"$units/hotcell-job.service" <<'UNIT'
[Unit]
Description=what the guest was started for
After=multi-user.target
RequiresMountsFor=/share

[Service]
Type=oneshot
Environment=HOME=/root PATH=/share/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
StandardOutput=file:/dev/virtio-ports/hotcell
StandardError=inherit
ExecStart=/bin/bash /share/job.sh
ExecStopPost=systemctl poweroff --force --force

[Install]
WantedBy=multi-user.target
UNIT
mkdir -p "$units/multi-user.target.wants"
ln -sf ../hotcell-job.service "$units/multi-user.target.wants/"

cp "$root"/boot/vmlinuz-* "$dir/vmlinuz"
cp "$root"/boot/initrd.img-* "$dir/initrd.img"
rm -rf "$root"/dev/*
