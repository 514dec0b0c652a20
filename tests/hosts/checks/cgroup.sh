gotest internal/container/cgroup

# A hierarchy whose groups count their own alone, as an administrator may mount it.
root=/sys/fs/cgroup
usual=$(findmnt -no OPTIONS --type cgroup2 $root)
trap 'mount -o "remount,$usual" $root' EXIT
options=$usual,memory_localevents
[ ! -e /sys/fs/cgroup/system.slice/pids.events.local ] || options=$options,pids_localevents # since Linux 6.11
mount -o "remount,$options" $root
echo "mounted with $(findmnt -no OPTIONS --type cgroup2 $root)"
gotest internal/container/cgroup -test.run 'Memory|Denials|Denied|Denies'
systemctl start containerd docker
told=$(runner doctor --json | tr -d ' \n' | grep -o '"name":"docker",[^]]*' | grep -o '"name":"oom_kill",[^}]*')
echo "$told"
grep -q '"active":false.*memory_localevents' <<<"$told"
