package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/job"
)

var _, _ keeper = (*localMonitor)(nil), (*nearMonitor)(nil)

func (m *localMonitor) memory() (int64, error) { return held(m.group) }

func (m *nearMonitor) memory() (int64, error) { return held(m.own) }

func held(group *cgroup.Group) (int64, error) {
	if group == nil {
		return 0, errors.New("there is no control group to read it from")
	}
	return group.Memory()
}

func (m *localMonitor) hasRoom(limits job.Limits) error { return roomFor(m.group, limits) }

func (m *nearMonitor) hasRoom(limits job.Limits) error {
	if m.podman {
		return fmt.Errorf("%w: its control group is Podman's own", container.ErrCannotTighten)
	}
	return roomFor(m.own, limits)
}

// tighten implements keeper. What a group above allows holds for the container's own, which
// the daemon lowers first: cgroup v1 refuses less CPU above than below.
func (m *localMonitor) tighten(ctx context.Context, containerID string, limits job.Limits) error {
	if !m.podman { // whose limits stay as they are, below ours
		if err := m.updateContainer(ctx, containerID, limits); err != nil {
			return err
		}
	}
	if err := m.updateGroup(ctx, limits); err != nil {
		return err
	}
	m.limits = limits
	return m.checkLimits()
}

func (m *localMonitor) updateGroup(ctx context.Context, limits job.Limits) error {
	resources := m.resources(limits)
	if m.slice != "" { // systemd would set back what others write
		return cgroup.UpdateSlice(ctx, m.slice, resources)
	}
	resources.Devices = nil // as they are
	return m.group.Update(resources)
}

func (m *localMonitor) updateContainer(ctx context.Context, containerID string, limits job.Limits) error {
	resources := m.resources(limits)
	asked := containerapi.Resources{
		Memory: *resources.Memory.Limit, PidsLimit: resources.Pids.Limit,
		CPUPeriod: int64(*resources.CPU.Period), CPUQuota: *resources.CPU.Quota,
	}
	if resources.Memory.Swap != nil {
		asked.MemorySwap = *resources.Memory.Swap
	}
	if _, err := m.api.ContainerUpdate(ctx, containerID, client.ContainerUpdateOptions{Resources: &asked}); err != nil {
		return fmt.Errorf("update container: %w", err)
	}
	return nil
}

// tighten implements keeper, by way of the daemon, whose group it is.
func (m *nearMonitor) tighten(ctx context.Context, containerID string, limits job.Limits) error {
	if err := m.updateContainer(ctx, containerID, limits); err != nil {
		return err
	}
	m.limits = limits
	return m.checkOwnGroup(openProc(m.pid), containerID)
}

// roomFor refuses a limit that is met already: the kernel would kill who waits (v2), or
// refuse it after others were set (v1).
func roomFor(group *cgroup.Group, limits job.Limits) error {
	now, err := held(group)
	if err == nil && now >= limits.MemoryBytes {
		err = fmt.Errorf("%w: it holds %d bytes of memory already", container.ErrCannotTighten, now)
	}
	return err
}

// limitCPU implements keeper. The kernel counts RLIMIT_CPU from a process's start.
func (m *localMonitor) limitCPU(allowed time.Duration) error {
	var used unix.Timespec
	if err := unix.ClockGettime(cpuClock(m.pid), &used); err != nil {
		return fmt.Errorf("read CPU time of process %d: %w", m.pid, err)
	}
	user, group, err := m.wantedIDs(openProc(m.pid))
	if err != nil {
		return err
	}
	seconds := uint64(container.CPUBackstop(allowed + time.Duration(used.Nano())))
	set := func() error { return m.setCPU(unix.Rlimit{Cur: seconds, Max: seconds}) }
	// The kernel lets a user send signals to a thread with the user's real id: as that only
	// where there is no other way.
	if err = set(); errors.Is(err, unix.EPERM) {
		err = asUser(user, group, set)
	}
	if err != nil {
		return fmt.Errorf("set RLIMIT_CPU of container: %w", err)
	}
	return nil
}

// setCPU sets and reads back. Until the pidfd tells of its death no other process has the
// number.
func (m *localMonitor) setCPU(limit unix.Rlimit) error {
	if isDead(m.pidfd, 0) {
		return errGone
	}
	var found unix.Rlimit
	err := errors.Join(unix.Prlimit(m.pid, unix.RLIMIT_CPU, &limit, nil), unix.Prlimit(m.pid, unix.RLIMIT_CPU, nil, &found))
	if err == nil && found != limit {
		err = fmt.Errorf("it is %+v instead of %+v", found, limit)
	}
	return err
}

// cpuClock is the clock of all CPU time of a process: see clock_getcpuclockid(3) and the
// kernel's include/linux/posix-timers.h.
func cpuClock(pid int) int32 {
	const schedulersCount = 2
	return ^int32(pid)<<3 | schedulersCount
}

// asUser runs do on a thread with the container user's real ids: the kernel lets a process's
// own user set its limits, and root only with CAP_SYS_RESOURCE. The rights of the thread are
// by its effective ids, and stay.
func asUser(user, group int, do func() error) error {
	own, ownGroup := os.Getuid(), os.Getgid()
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := realIDs(user, group)
		if err == nil {
			err = do()
		}
		back := realIDs(own, ownGroup)
		if back == nil { // else the thread ends with this goroutine
			runtime.UnlockOSThread()
		}
		done <- errors.Join(err, back)
	}()
	return <-done
}

// realIDs sets those of this thread alone, where Go's own functions set every thread's.
func realIDs(user, group int) error {
	const same = ^uintptr(0)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, uintptr(group), same, same); errno != 0 {
		return fmt.Errorf("setresgid: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(user), same, same); errno != 0 {
		return fmt.Errorf("setresuid: %w", errno)
	}
	return nil
}
