//go:build linux

package cgroup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// Denials tells of the forks and clones that pids.max refuses in a group that is
// another's, where no group above has its count and it is gone with the group.
type Denials struct {
	path  string // of pids.events
	watch int    // an inotify descriptor that never blocks: what it holds outlives the group
	seen  int64
}

// CountsBelow reports whether PIDsDenied has those of the groups below, too: on v2 since
// Linux 6.11, unless the hierarchy was mounted to count as before.
func (g *Group) CountsBelow() (bool, error) {
	if g.mode != ModeUnified {
		return false, nil
	}
	_, err := os.Lstat(filepath.Join(g.tree.pidsDir(), "pids.events.local"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	local, err := mountedWith("pids_localevents")
	return !local, err
}

// RequireMemoryCountsBelow wants a group to have what its descendants' memory.events
// count, for those go with an engine's container.
func RequireMemoryCountsBelow() error {
	if mode, err := HostMode(); err != nil || mode != ModeUnified {
		return err
	}
	local, err := mountedWith("memory_localevents")
	if err == nil && local {
		err = errors.New("cgroup2 is mounted with memory_localevents, so that a group lacks the counts of those below: " +
			"mount -t cgroup2 -o nsdelegate,memory_recursiveprot cgroup2 /mnt && umount /mnt changes the options of all its mounts")
	}
	return err
}

// mountedWith tells of an option of the v2 hierarchy, which has the same wherever it is
// mounted.
func mountedWith(option string) (bool, error) {
	mounts, err := mountinfo.GetMounts(mountinfo.FSTypeFilter("cgroup2"))
	if err == nil && len(mounts) == 0 {
		err = errors.New("there is none")
	}
	if err != nil {
		return false, fmt.Errorf("look for a mount of cgroup2: %w", err)
	}
	return slices.Contains(strings.Split(mounts[0].VFSOptions, ","), option), nil
}

// WatchDenials must be called before anything runs in the group whose denials matter.
// The caller must Close it. Each takes one of the user's inotify instances. On v1 the
// kernel marks no file.
func (g *Group) WatchDenials() (*Denials, error) {
	if g.mode != ModeUnified {
		return nil, fmt.Errorf("watch denied forks of control group %s: not on cgroup %s", g.path, g.mode)
	}
	d := &Denials{path: filepath.Join(g.tree.pidsDir(), "pids.events")}
	var err error
	if d.watch, err = unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK); err != nil {
		return nil, fmt.Errorf("watch %s: %w (where they are too many, raise the sysctl fs.inotify.max_user_instances)", d.path, err)
	}
	// The kernel marks the file modified at each denial (cgroup-v2, "pids.events"), or the
	// one of the group's own since Linux 6.11.
	for _, path := range []string{d.path, d.path + ".local"} {
		_, added := unix.InotifyAddWatch(d.watch, path, unix.IN_MODIFY)
		if path == d.path || !errors.Is(added, fs.ErrNotExist) {
			err = errors.Join(err, added)
		}
	}
	if err == nil {
		d.seen, err = requiredCount(d.path, "max")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watch %s: %w", d.path, err), d.Close())
	}
	return d, nil
}

// Count is the kernel's while the group is there. Of a group that is gone it is known
// whether there were any since the last Count: those are one then, however many they were.
func (d *Denials) Count() (int64, error) {
	count, err := requiredCount(d.path, "max")
	if err != nil && !isGone(err) {
		return 0, fmt.Errorf("count denied forks: %w", err)
	}
	gone := err != nil
	modified, err := d.drain()
	switch {
	case !gone:
		d.seen = count
	case modified:
		d.seen++
	}
	return d.seen, err
}

// drain takes what waits on the watch.
func (d *Denials) drain() (modified bool, err error) {
	buffer := make([]byte, 64*unix.SizeofInotifyEvent)
	for {
		n, err := unix.Read(d.watch, buffer)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return modified, nil
		case errors.Is(err, unix.EINTR):
			continue
		case err == nil && n < unix.SizeofInotifyEvent:
			err = io.ErrUnexpectedEOF
			fallthrough
		case err != nil:
			return modified, fmt.Errorf("watch %s: %w", d.path, err)
		}
		// Not every event: the end of the watch is one. None has a name.
		for events := buffer[:n]; len(events) >= unix.SizeofInotifyEvent; events = events[unix.SizeofInotifyEvent:] {
			mask := binary.NativeEndian.Uint32(events[4:])
			modified = modified || mask&(unix.IN_MODIFY|unix.IN_Q_OVERFLOW) != 0
		}
	}
}

// Close ends the watch.
func (d *Denials) Close() error { return unix.Close(d.watch) }
