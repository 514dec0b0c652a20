//go:build linux

package cgroup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// Group is one sandbox's control group in every hierarchy of the host. Its
// methods may be called concurrently; it holds no open descriptor.
type Group struct {
	path string
	mode Mode
	tree tree
}

// tree is what differs between v1 and v2.
type tree interface {
	cpuTime() (time.Duration, error)
	memory() (memoryUsage, error)
	pidsDir() string
	memoryFile() string
	dirs() []string // one for each hierarchy with a controller that limits or counts
	limits() (Settings, error)
	addProc(pid int) error
	update(resources *specs.LinuxResources) error
	kill(ctx context.Context) error
	freezer() freezer
}

// memoryUsage is what a hierarchy tells of a group's memory.
type memoryUsage struct {
	peakBytes int64 // -1 where the kernel does not keep it
	kills     int64 // by the out-of-memory killer, whoever ran out
	met       bool  // the group's own limit left none
}

// ErrNotFound means that no hierarchy has the group (any more).
var ErrNotFound = errors.New("control group does not exist")

// Load finds an existing group. path is relative to the root of the hierarchies,
// for example "/hotcell/9f86d081884c7d659a2feaa0c55ad015". A group that does not
// exist is ErrNotFound.
func Load(path string) (*Group, error) {
	mode, err := checkedMode(path)
	if err != nil {
		return nil, fmt.Errorf("load control group: %w", err)
	}
	found, err := exists(mode, path)
	if err != nil {
		return nil, fmt.Errorf("load control group %s: %w", path, err)
	}
	if !found {
		return nil, fmt.Errorf("load control group %s: %w", path, ErrNotFound)
	}
	group := &Group{path: path, mode: mode}
	if group.tree, err = loadTree(mode, path); err != nil {
		return nil, fmt.Errorf("load control group %s: %w", path, err)
	}
	return group, nil
}

// Create makes a group that there is not, in a place that there is (Home), and sets
// its limits (see container.Resources). The caller must Delete it. On error nothing
// of the group is left behind.
func Create(path string, resources *specs.LinuxResources) (*Group, error) {
	mode, err := checkedMode(path)
	if err != nil {
		return nil, fmt.Errorf("create control group: %w", err)
	}
	// Another's would be removed below, and its counters be taken for this one's.
	if found, err := exists(mode, path); err != nil || found {
		return nil, fmt.Errorf("create control group %s: %w", path, cmp.Or(err, fs.ErrExist))
	}
	group := &Group{path: path, mode: mode}
	if group.tree, err = createTree(mode, path, resources); err != nil {
		return nil, errors.Join(fmt.Errorf("create control group %s: %w", path, err), group.remove())
	}
	return group, nil
}

// Path is relative to the root of the hierarchies.
func (g *Group) Path() string { return g.path }

// Mode is the host's.
func (g *Group) Mode() Mode { return g.mode }

// AddProc moves a process, with all its threads, into the group in every
// hierarchy that has a controller.
func (g *Group) AddProc(pid int) error {
	if err := g.tree.addProc(pid); err != nil {
		return fmt.Errorf("move process %d to control group %s: %w", pid, g.path, err)
	}
	return nil
}

// Update sets new limits. Some may have been set when it fails.
func (g *Group) Update(resources *specs.LinuxResources) error {
	if err := g.tree.update(resources); err != nil {
		return fmt.Errorf("update control group %s: %w", g.path, err)
	}
	return nil
}

// Procs returns the processes of the group and of its descendants, none when the
// group is gone. Zombies are not among them.
func (g *Group) Procs() ([]int, error) {
	pids, err := processesBelow(g.tree.pidsDir())
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list processes of control group %s: %w", g.path, err)
	}
	return pids, nil
}

// Holds wants the process to be in the group, or below it, for every controller, and
// nobody else to be able to take it out: each hierarchy of v1 has an answer of its own,
// and a limit is good for those in its own.
func (g *Group) Holds(pid int) error {
	for _, dir := range g.tree.dirs() {
		pids, err := processesBelow(dir)
		if err != nil {
			return fmt.Errorf("look for process %d: %w", pid, err)
		}
		if !slices.Contains(pids, pid) {
			return fmt.Errorf("process %d is not in control group %s", pid, dir)
		}
		// Of the group itself crun makes the sandbox's own root the owner, who can move
		// nothing out of it.
		if err := requireOurs(strings.TrimSuffix(dir, g.path), filepath.Dir(g.path), os.Geteuid()); err != nil {
			return err
		}
	}
	return nil
}

// Kill thaws the group, sends SIGKILL to every process of it and of its descendants and
// waits until none is left or ctx ends. Nothing can fork away from it: v2 kills
// atomically through cgroup.kill; before Linux 5.14, and on v1, forks are denied
// (pids.max 1) first.
// Read Usage before, because that denial counts. Idempotent.
func (g *Group) Kill(ctx context.Context) error {
	if err := g.Thaw(); err != nil {
		return err
	}
	pause := time.Millisecond
	for {
		pids, err := g.Procs()
		if err != nil || len(pids) == 0 {
			return err
		}
		if err := g.tree.kill(ctx); err != nil && !isGone(err) {
			return fmt.Errorf("kill control group %s: %w", g.path, err)
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("kill control group %s: processes %v live on: %w", g.path, pids, err)
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
}

// isGone says whether an error means that the group is gone: it is not there, or was
// removed while one of its files was open.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENODEV) }

// checkedMode refuses a path that could name anything but one group below the
// root.
func checkedMode(path string) (Mode, error) {
	if !strings.HasPrefix(path, "/") || filepath.Clean(path) != path || path == "/" ||
		slices.Contains(strings.Split(path, "/"), "..") {
		return "", fmt.Errorf("path %q is not absolute and clean", path)
	}
	return HostMode()
}

func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pause):
		return nil
	}
}
