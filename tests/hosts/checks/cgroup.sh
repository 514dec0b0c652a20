gotest internal/container/cgroup

# A hierarchy whose groups count their own alone, as an administrator may mount it. The
# options of a mount become those of the hierarchy, for all its mounts; a remount takes
# none away.
options() {
	mkdir -p /root/hierarchy
	mount -t cgroup2 -o "$1" cgroup2 /root/hierarchy
	umount /root/hierarchy
	findmnt -no OPTIONS /sys/fs/cgroup
}
usual=nsdelegate,memory_recursiveprot # systemd's
trap 'options "$usual"' EXIT
unusual=$usual,memory_localevents
[ ! -e /sys/fs/cgroup/system.slice/pids.events.local ] || unusual=$unusual,pids_localevents # since Linux 6.11
options "$unusual"
gotest internal/container/cgroup -test.run 'Memory|Denials|Denied|Denies'
systemctl start containerd docker
told=$(runner doctor --json | tr -d ' \n' | grep -o '"name":"docker",[^]]*' | grep -o '"name":"oom_kill",[^}]*')
echo "$told"
grep -q '"active":false.*memory_localevents' <<<"$told"
