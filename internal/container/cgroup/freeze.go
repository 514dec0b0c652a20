//go:build linux

package cgroup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// freezer is the file by which a group's processes are stopped and let go on, and how the
// kernel tells that none of them runs any more. Neither needs their consent: a signal that
// stops a process (SIGSTOP) can be undone by a timer of its own.
type freezer struct {
	dir          string
	file         string
	freeze, thaw string
	events       string // the file that tells, and the line in it
	frozen       string
}

func (u unified) freezer() freezer {
	return freezer{dir: u.dir, file: "cgroup.freeze", freeze: "1", thaw: "0", events: "cgroup.events", frozen: "frozen 1"}
}

func (l legacy) freezer() freezer {
	dir := filepath.Join(freezerRoot, l.path)
	return freezer{dir: dir, file: "freezer.state", freeze: "FROZEN", thaw: "THAWED", events: "freezer.state", frozen: "FROZEN"}
}

// CanFreeze tells why groups cannot be frozen on this host: on v1 the freezer's hierarchy may
// not be there. On v2 every kernel since Linux 5.2 can.
func CanFreeze() error {
	mode, err := HostMode()
	if err != nil || mode == ModeUnified {
		return err
	}
	if err := requireHierarchy(legacy{"/"}.freezer().dir); err != nil {
		return fmt.Errorf("control groups cannot be frozen here: %w", err)
	}
	return nil
}

// Freeze stops every process of the group and of its descendants, and waits until none runs
// any more, or for ctx. They go on with Thaw only, which the caller must call in any case:
// on v1 not even SIGKILL ends what is frozen.
func (g *Group) Freeze(ctx context.Context) error {
	f := g.tree.freezer()
	if err := f.stop(ctx); err != nil {
		return fmt.Errorf("freeze control group %s: %w", g.path, err)
	}
	// On v1 the hierarchy of the freezer is one of its own.
	pids, err := g.Procs()
	if err != nil {
		return err
	}
	stopped, err := processesBelow(f.dir)
	if err != nil {
		return fmt.Errorf("freeze control group %s: %w", g.path, err)
	}
	for _, pid := range pids {
		if !slices.Contains(stopped, pid) {
			return fmt.Errorf("freeze control group %s: process %d is in another one of the freezer's", g.path, pid)
		}
	}
	return nil
}

func (f freezer) stop(ctx context.Context) error {
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		if err := writeFile(filepath.Join(f.dir, f.file), f.freeze); err != nil { // again: v1 forgets who has forked meanwhile
			return err
		}
		still, err := f.still()
		if err != nil || still {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// still is the kernel's own word.
func (f freezer) still() (bool, error) {
	content, err := os.ReadFile(filepath.Join(f.dir, f.events))
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(content)) {
		if strings.TrimSpace(line) == f.frozen {
			return true, nil
		}
	}
	return false, nil
}

// Frozen is an error where processes of the group may run, by the kernel's own word.
func (g *Group) Frozen() error {
	still, err := g.tree.freezer().still()
	if err == nil && !still {
		err = errors.New("it is not frozen")
	}
	if err != nil {
		return fmt.Errorf("control group %s: %w", g.path, err)
	}
	return nil
}

// Thaw lets the group's processes go on. Idempotent, and nothing for a group that is gone.
func (g *Group) Thaw() error {
	f := g.tree.freezer()
	err := writeFile(filepath.Join(f.dir, f.file), f.thaw)
	if err != nil && !isGone(err) {
		return fmt.Errorf("thaw control group %s: %w", g.path, err)
	}
	return nil
}

// Thaw is Group.Thaw for a group of which only the path is known, and which may be gone.
func Thaw(path string) error {
	mode, err := checkedMode(path)
	if errors.Is(err, ErrNoCgroups) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("thaw control group: %w", err)
	}
	group := &Group{path: path, mode: mode, tree: legacy{path}}
	if mode == ModeUnified {
		group.tree = unified{dir: filepath.Join(mountpoint, path)}
	}
	return group.Thaw()
}
