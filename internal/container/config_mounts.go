package container

import (
	"fmt"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// mounts is everything a sandbox sees besides its read-only root. There is no
// /sys, no cgroup tree, no /dev/pts, /dev/shm or /dev/mqueue: Python needs none
// of them, and each is a channel between processes or to the kernel.
func mounts(spec Spec, paths Paths) []specs.Mount {
	list := []specs.Mount{
		{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "nodev", "noexec"}},
		// The runtime adds null, zero, full, random, urandom and tty itself and only
		// then makes /dev read-only. tty cannot be opened: there is no terminal.
		{Destination: "/dev", Type: "tmpfs", Source: "tmpfs",
			Options: []string{"ro", "nosuid", "noexec", "strictatime", "mode=755", "size=64k", "nr_inodes=64"}},
		{Destination: ScratchDir, Type: "tmpfs", Source: "tmpfs",
			Options: append(untrusted("rw"), TmpfsOptions(spec.Limits.ScratchBytes, ScratchFiles, UserID)...)},
		{Destination: OutputDir, Type: "bind", Source: paths.Output, Options: append(untrusted("rw"), "bind")},
	}
	if paths.Bundle != "" {
		list = append(list, specs.Mount{Destination: BundleDir, Type: "bind", Source: paths.Bundle,
			Options: append(untrusted("ro"), "bind")})
	}
	return list
}

// untrusted are the options of every mount whose content is not the image's.
func untrusted(access string) []string {
	return []string{access, "nosuid", "nodev", "noexec", "private"}
}

// TmpfsOptions caps a tmpfs in bytes and inodes and gives it to owner alone. The
// root directory itself takes one inode of files, so one is added.
func TmpfsOptions(bytes, files int64, owner uint32) []string {
	return []string{
		fmt.Sprintf("size=%d", bytes), fmt.Sprintf("nr_inodes=%d", files+1),
		"mode=700", fmt.Sprintf("uid=%d", owner), fmt.Sprintf("gid=%d", owner),
	}
}

// MaskedPaths are hidden in every sandbox: the lists of runc and containerd (2026)
// together, and what else tells of the whole host and not of the sandbox: its
// command line, configuration, modules, disks, physical memory and activity. What
// libraries read stays: cpuinfo, meminfo, stat, loadavg, uptime, version,
// filesystems. subset=pid would hide all of it, but Docker has no way to ask for it.
// /sys is not mounted; what of it is named here is for an engine that mounts one by
// default.
func MaskedPaths() []string {
	return append(hostFigures(),
		"/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
		"/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats",
		"/sys/devices/virtual/powercap", "/sys/firmware",
	)
}

func hostFigures() []string {
	return []string{
		"/proc/buddyinfo", "/proc/cmdline", "/proc/config.gz", "/proc/consoles", "/proc/diskstats", "/proc/driver",
		"/proc/iomem", "/proc/ioports", "/proc/kallsyms", "/proc/key-users", "/proc/kmsg", "/proc/kpagecgroup",
		"/proc/kpagecount", "/proc/kpageflags", "/proc/locks", "/proc/modules", "/proc/mtrr", "/proc/pagetypeinfo",
		"/proc/partitions", "/proc/pressure", "/proc/schedstat", "/proc/slabinfo", "/proc/softirqs", "/proc/swaps",
		"/proc/tty", "/proc/vmallocinfo", "/proc/vmstat", "/proc/zoneinfo",
	}
}

// ReadonlyPaths can be read but not written, by no capability.
func ReadonlyPaths() []string {
	return []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"}
}
