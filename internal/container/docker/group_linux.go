package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container/cgroup"
)

var pageSize = int64(os.Getpagesize())

// errGone is told of a container whose process has ended.
var errGone = errors.New("its process has ended")

// opened is a container's process. Until the descriptor tells of its death no other
// gets its number: who acts by the number asks alive first.
type opened struct {
	pid, pidfd int
	groups     map[string]string // by controller list
}

func (o opened) alive() error {
	if isDead(o.pidfd, 0) {
		return errGone
	}
	return nil
}

// openContainer tells the container's process from one that happens to have its
// number. A daemon elsewhere tells numbers that mean nothing here, and one that has
// ended may be another's by now: what is not the container's is never touched. The
// caller closes pidfd.
func openContainer(pid int, containerID string) (found opened, err error) {
	if !containerIDs.MatchString(containerID) { // part of any path, say
		return opened{}, fmt.Errorf("%w: the daemon calls a container %q", errIsolation, containerID)
	}
	pidfd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return opened{}, errGone
	}
	if err != nil {
		return opened{}, fmt.Errorf("open process of container: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, unix.Close(pidfd))
		}
	}()
	found = opened{pid: pid, pidfd: pidfd}
	if found.groups, err = groupsOf(pid, containerID); err != nil && isDead(pidfd, dyingPatience) {
		err = errGone
	}
	return found, err
}

func groupsOf(pid int, containerID string) (map[string]string, error) {
	groups, err := openProc(pid).cgroups()
	if err != nil {
		return nil, fmt.Errorf("read cgroup of container: %w", err)
	}
	for _, path := range groups {
		if strings.Contains(path, containerID) {
			return groups, nil
		}
	}
	return nil, fmt.Errorf("%w: process %d, which Docker calls the container's, is not on this host: run where the daemon runs, or use --engine oci",
		errIsolation, pid)
}

var containerIDs = regexp.MustCompile(`^[0-9a-f]{64}$`)

// adopt sees to it that what the kernel counts can still be read when the container is
// gone, and its own group with it.
func (m *localMonitor) adopt(ctx context.Context, process opened, containerID string) error {
	if m.group == nil || m.group.Mode() == cgroup.ModeUnified { // it started below ours, if there is one
		return m.watchDenials(process, containerID)
	}
	return m.move(ctx, process, containerID)
}

// watchDenials is for containers whose denied forks no group of ours counts. One without a
// group has no limit either.
func (m *localMonitor) watchDenials(process opened, containerID string) error {
	if mode, err := cgroup.HostMode(); err != nil || mode != cgroup.ModeUnified {
		return err
	}
	if m.group != nil {
		if counts, err := m.group.CountsBelow(); err != nil || counts {
			return err
		}
	}
	path := groupOf(process.groups, "")
	if !strings.Contains(path, containerID) {
		return nil
	}
	group, err := cgroup.Load(path)
	if err != nil {
		return err
	}
	m.denials, err = group.WatchDenials()
	return err
}

// move moves the processes into our own group where cgroup v1 would otherwise
// count oom_kill and denied forks in a group that vanishes with the container.
// The device filter, of another hierarchy, stays where the runtime put it. The group to
// empty is not read anew, and has the container's name: it could be a stranger's, which
// has got the number by now, and all of whose processes would be moved.
func (m *localMonitor) move(ctx context.Context, process opened, containerID string) error {
	before := groupOf(process.groups, "pids")
	if !strings.Contains(before, containerID) {
		return fmt.Errorf("%w: the container is in the group %q, which is not its own", errIsolation, before)
	}
	if err := process.alive(); err != nil {
		return err
	}
	if err := m.group.AddProc(process.pid); err != nil {
		return err
	}
	return m.leave(ctx, before)
}

// leavePatience bounds the chase after processes that fork while they are moved. A
// guard has no children before it is spoken to. The kernel moves none that is about to
// end, which on a busy machine may take its time.
const leavePatience = 10 * time.Second

// leave empties the runtime's group at path and takes over what it has counted.
func (m *localMonitor) leave(ctx context.Context, path string) error {
	group, err := cgroup.Load(path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, leavePatience)
	defer cancel()
	for pause := time.Duration(0); ; pause = readyPoll {
		pids, err := group.Procs()
		if err != nil {
			return err
		}
		if len(pids) == 0 {
			used, err := group.Usage()
			m.early = countsOf(used)
			m.adopted = err == nil
			return err
		}
		// At once: a number that has been waited with can be another process's.
		for _, pid := range pids {
			if err := m.group.AddProc(pid); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: processes %v do not move to its control group, or fork faster than that: %w", errIsolation, pids, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}

func countsOf(used cgroup.Usage) account {
	return account{oomKills: used.OOMKills, hostOOMKills: used.HostOOMKills, pidsDenied: used.PIDsDenied}
}

// checkGroup looks where the limits apply.
func (m *localMonitor) checkGroup(proc) error {
	if m.group == nil {
		return nil
	}
	if err := m.group.Holds(m.pid); err != nil {
		return err
	}
	return m.checkLimits()
}

// checkLimits reads back what the kernel enforces.
func (m *localMonitor) checkLimits() error {
	found, err := m.group.Limits()
	if err != nil {
		return err
	}
	return m.compareLimits(found)
}

func (m *localMonitor) compareLimits(found cgroup.Settings) error {
	want := cgroup.Settings{
		MemoryBytes: m.limits.MemoryBytes / pageSize * pageSize, // as the kernel rounds
		PIDs:        m.limits.PIDs,
		CPUMillis:   m.limits.CPUMillis,
	}
	if m.noSwapLimit {
		want.SwapBytes = cgroup.Unlimited
	}
	if found != want {
		return fmt.Errorf("limits are %+v instead of %+v", found, want)
	}
	return nil
}

func groupOf(groups map[string]string, controller string) string {
	for controllers, path := range groups {
		if slices.Contains(strings.Split(controllers, ","), controller) {
			return path
		}
	}
	return ""
}
