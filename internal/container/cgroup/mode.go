//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/containerd/cgroups/v3"
)

const (
	mountpoint       = "/sys/fs/cgroup"
	hybridMountpoint = "/sys/fs/cgroup/unified"
	freezerRoot      = "/sys/fs/cgroup/freezer"
)

// Mode is how the host has mounted its control groups.
type Mode string

// The modes.
const (
	ModeLegacy  Mode = "v1"
	ModeHybrid  Mode = "hybrid" // the controllers are those of v1, an empty v2 tree stands beside them
	ModeUnified Mode = "v2"
)

// ErrNoCgroups means that no cgroup file system is mounted at /sys/fs/cgroup.
var ErrNoCgroups = errors.New("no cgroup file system at /sys/fs/cgroup: mount cgroup2 there")

// HostMode tells how this host has mounted its control groups. The answer is
// found once per process.
func HostMode() (Mode, error) {
	switch cgroups.Mode() {
	case cgroups.Legacy:
		return ModeLegacy, nil
	case cgroups.Hybrid:
		return ModeHybrid, nil
	case cgroups.Unified:
		return ModeUnified, nil
	default:
		return "", ErrNoCgroups
	}
}

// Mountpoint is where a host has its groups.
func Mountpoint() string { return mountpoint }

// HybridMountpoint is where a hybrid host has its v2 tree. crun refuses to run
// while it sees one.
func HybridMountpoint() string { return hybridMountpoint }

// hierarchies returns the root directory of every mounted hierarchy, named ones
// and the v2 tree of a hybrid host included: runtimes make groups in all of them.
func hierarchies(mode Mode) ([]string, error) {
	if mode == ModeUnified {
		return []string{mountpoint}, nil
	}
	entries, err := os.ReadDir(mountpoint)
	if err != nil {
		return nil, fmt.Errorf("list cgroup hierarchies: %w", err)
	}
	var roots []string
	for _, entry := range entries {
		if entry.IsDir() { // "cpu" may be a symlink to "cpu,cpuacct"
			roots = append(roots, filepath.Join(mountpoint, entry.Name()))
		}
	}
	return roots, nil
}
