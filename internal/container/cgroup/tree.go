//go:build linux

package cgroup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/containerd/cgroups/v3/cgroup1"
	"github.com/containerd/cgroups/v3/cgroup2"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

func loadTree(mode Mode, path string) (tree, error) {
	if mode == ModeUnified {
		manager, err := cgroup2.Load(path)
		return unified{manager, filepath.Join(mountpoint, path)}, err
	}
	return legacy{path}, nil
}

func createTree(mode Mode, path string, resources *specs.LinuxResources) (tree, error) {
	if mode != ModeUnified {
		if err := requireControllers(); err != nil {
			return nil, err
		}
		_, err := cgroup1.New(cgroup1.StaticPath(path), resources, cgroup1.WithHierarchy(withFreezer))
		return legacy{path}, err
	}
	return createUnified(mountpoint, path, resources)
}

// createUnified makes the last element of path and nothing above it, which is
// somebody's: a place that systemd has taken away is not made again behind its back.
func createUnified(root, path string, resources *specs.LinuxResources) (tree, error) {
	dir := filepath.Join(root, path)
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("its place %s is gone, ended perhaps by systemctl stop: try again, in a new one: %w", filepath.Dir(path), err)
	}
	if err != nil {
		return nil, err
	}
	manager, err := cgroup2.Load(path, cgroup2.WithMountpoint(root))
	if err != nil {
		return nil, err
	}
	group := unified{manager, dir}
	return group, group.update(resources)
}

// controllers are those of v1 that Hotcell limits or reads. The others are left
// out, for reading all of them costs milliseconds.
func controllers() ([]cgroup1.Subsystem, error) {
	return []cgroup1.Subsystem{
		cgroup1.NewCpuacct(mountpoint), cgroup1.NewCpu(mountpoint),
		cgroup1.NewMemory(mountpoint), cgroup1.NewPids(mountpoint),
	}, nil
}

// withFreezer are those that a runtime makes the group in, where the host has them.
func withFreezer() ([]cgroup1.Subsystem, error) {
	all, err := controllers()
	if _, missing := os.Stat(filepath.Join(mountpoint, string(cgroup1.Freezer))); missing != nil {
		return all, err
	}
	return append(all, cgroup1.NewFreezer(mountpoint)), err
}

// requireControllers wants their hierarchies to be the kernel's: in a directory of any
// other file system a limit can be written and read back too.
func requireControllers() error {
	for _, dir := range (legacy{"/"}).dirs() {
		if err := requireHierarchy(dir); err != nil {
			return err
		}
	}
	return nil
}

func requireHierarchy(dir string) error {
	var found unix.Statfs_t
	err := unix.Statfs(dir, &found)
	if err == nil && found.Type != unix.CGROUP_SUPER_MAGIC {
		err = errors.New("what is there is no control group file system")
	}
	if err != nil {
		return fmt.Errorf("controller %s is not mounted on %s: %w", filepath.Base(dir), dir, err)
	}
	return nil
}

// legacy is the group in the v1 hierarchies.
type legacy struct{ path string }

func (l legacy) dirs() []string {
	var dirs []string
	for _, controller := range []cgroup1.Name{cgroup1.Cpuacct, cgroup1.Cpu, cgroup1.Memory, cgroup1.Pids} {
		dirs = append(dirs, filepath.Join(mountpoint, string(controller), l.path))
	}
	return dirs
}

func (l legacy) load(subsystem cgroup1.Subsystem) (cgroup1.Cgroup, error) {
	return cgroup1.Load(cgroup1.StaticPath(l.path), cgroup1.WithHierarchy(
		func() ([]cgroup1.Subsystem, error) { return []cgroup1.Subsystem{subsystem}, nil }))
}

func (l legacy) cpuTime() (time.Duration, error) {
	group, err := l.load(cgroup1.NewCpuacct(mountpoint))
	if err != nil {
		return 0, err
	}
	stat, err := group.Stat()
	if err != nil {
		return 0, err
	}
	return time.Duration(stat.CPU.Usage.Total), nil
}

// chargeBatch is by how many pages the kernel charges a group at once (MEMCG_CHARGE_BATCH):
// a limit is met where fewer are left.
const chargeBatch = 64

func (l legacy) memory() (found memoryUsage, err error) {
	dir := filepath.Join(mountpoint, "memory", l.path)
	if found.kills, err = requiredCount(filepath.Join(dir, "memory.oom_control"), "oom_kill"); err != nil {
		return memoryUsage{}, err
	}
	if found.peakBytes, err = optionalNumber(filepath.Join(dir, "memory.max_usage_in_bytes")); err != nil {
		return memoryUsage{}, err
	}
	// Not by memory.failcnt: Linux 6.18 leaves it at 0.
	for _, counter := range []string{"memory.", "memory.memsw."} { // the second where swap is counted
		peak, err := optionalNumber(filepath.Join(dir, counter+"max_usage_in_bytes"))
		if err != nil {
			return memoryUsage{}, err
		}
		limit, err := optionalNumber(filepath.Join(dir, counter+"limit_in_bytes"))
		if err != nil {
			return memoryUsage{}, err
		}
		found.met = found.met || peak >= 0 && peak > limit-int64(chargeBatch*os.Getpagesize())
	}
	return found, nil
}

func (l legacy) memoryFile() string {
	return filepath.Join(mountpoint, "memory", l.path, "memory.usage_in_bytes")
}

func (l legacy) pidsDir() string { return filepath.Join(mountpoint, "pids", l.path) }

// addProc moves the process in every hierarchy in which there is the group: a runtime makes it
// in all of them, and would find in one of another's what has been left there, and end it. Last
// is the one by which a group's processes are found, and then the freezer, which is to stop all
// of them.
func (l legacy) addProc(pid int) error {
	if _, err := l.loadAll(); err != nil {
		return err
	}
	roots, err := hierarchies(ModeLegacy)
	if err != nil {
		return err
	}
	found := filepath.Join(mountpoint, string(cgroup1.Pids))
	roots = slices.DeleteFunc(roots, func(root string) bool { return root == found || root == freezerRoot })
	for _, root := range append(roots, found, freezerRoot) {
		err := writeFile(filepath.Join(root, l.path, "cgroup.procs"), strconv.Itoa(pid))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (l legacy) update(resources *specs.LinuxResources) error {
	group, err := l.loadAll()
	if err != nil {
		return err
	}
	return group.Update(resources)
}

// loadAll wants the group in every hierarchy: the library passes over those that lack
// it, in which a process would then stay where it was, and be limited by nothing.
func (l legacy) loadAll() (cgroup1.Cgroup, error) {
	wanted, err := controllers()
	if err != nil {
		return nil, err
	}
	group, err := cgroup1.Load(cgroup1.StaticPath(l.path), cgroup1.WithHierarchy(controllers))
	if err == nil && len(group.Subsystems()) != len(wanted) {
		err = errors.New("a hierarchy lacks it")
	}
	return group, err
}

func (l legacy) kill(context.Context) error { return killEach(l.pidsDir()) }

// unified is the group in the v2 hierarchy.
type unified struct {
	*cgroup2.Manager
	dir string
}

func (u unified) cpuTime() (time.Duration, error) {
	stat, err := requiredCount(filepath.Join(u.dir, "cpu.stat"), "usage_usec")
	return time.Duration(stat) * time.Microsecond, err
}

func (u unified) memory() (found memoryUsage, err error) {
	found.peakBytes, err = optionalNumber(filepath.Join(u.dir, "memory.peak")) // Linux 5.19
	if err != nil {
		return memoryUsage{}, err
	}
	events := filepath.Join(u.dir, "memory.events")
	if found.kills, err = requiredCount(events, "oom_kill"); err != nil {
		return memoryUsage{}, err
	}
	met, err := requiredCount(events, "oom")
	found.met = met > 0
	return found, err
}

func (u unified) memoryFile() string { return filepath.Join(u.dir, "memory.current") }

func (u unified) pidsDir() string { return u.dir }

func (u unified) dirs() []string { return []string{u.dir} }

func (u unified) addProc(pid int) error { return u.AddProc(uint64(pid)) }

func (u unified) update(resources *specs.LinuxResources) error {
	limits := cgroup2.ToResources(resources)
	// The runtime attaches the device filter to its own group.
	limits.Devices = nil
	return u.Update(limits)
}

func (u unified) kill(ctx context.Context) error {
	if unit := sliceUnit(strings.TrimPrefix(u.dir, mountpoint)); unit != "" {
		return killSlice(ctx, unit)
	}
	err := writeFile(filepath.Join(u.dir, "cgroup.kill"), "1")
	if errors.Is(err, fs.ErrNotExist) { // Linux before 5.14
		return killEach(u.dir)
	}
	return err
}
