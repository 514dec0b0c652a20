package docker

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/moby/moby/client"
	"golang.org/x/sys/unix"

	"hotcell/internal/container/cgroup"
	"hotcell/internal/job"
)

// localMonitor watches a container by the kernel's own account.
type localMonitor struct {
	api           *client.Client
	limits        job.Limits
	userNamespace bool
	noSwapLimit   bool
	confined      confinement
	readyPatience time.Duration // readyTimeout, but in tests
	group         *cgroup.Group // nil where the kernel's counters cannot be had
	placed        bool          // Docker was told to put it below group
	slice         string        // by which name systemd has made group, or ""
	podman        bool          // it is Podman's
	output        string        // host paths of the mounts
	bundle        string        // "" for none
	profile       string        // of AppArmor, as the daemon names it

	pid     int // of the container's first process, or 0 before it was found
	pidfd   int // the same; valid while dead is not nil
	dead    chan struct{}
	stop    chan struct{}
	ended   chan struct{}   // closed when the watching goroutine has returned
	adopted bool            // on v1: its processes were moved to group
	early   account         // what was counted in Docker's own group before the move
	denials *cgroup.Denials // of Docker's own group, where the processes stay in it
	stats   *remoteMonitor  // stands in for group
}

// Attach implements monitor.
func (m *localMonitor) Attach(ctx context.Context, containerID string, prepared int) (bool, error) {
	if m.group == nil {
		if _, err := m.stats.Attach(ctx, containerID, prepared); err != nil {
			return false, err
		}
	}
	found, err := m.find(ctx, containerID, prepared)
	if errors.Is(err, errGone) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if err := m.adopt(ctx, found, containerID); err != nil {
		return m.unlessDead(err)
	}
	if err := m.verify(ctx, m.pid); err != nil {
		return m.unlessDead(err)
	}
	return false, nil
}

// find opens the container's first process, which is watched from then on.
func (m *localMonitor) find(ctx context.Context, containerID string, prepared int) (opened, error) {
	found, err := m.api.ContainerInspect(ctx, containerID, client.ContainerInspectOptions{})
	if err != nil {
		return opened{}, fmt.Errorf("inspect container: %w", err)
	}
	state := found.Container.State
	if state == nil || !state.Running || state.Pid == 0 {
		return opened{}, errGone
	}
	if prepared != 0 && state.Pid != prepared {
		return opened{}, fmt.Errorf("%w: its first process is %d instead of %d, which was prepared and compared", errIsolation, state.Pid, prepared)
	}
	m.profile = found.Container.AppArmorProfile
	process, err := openContainer(state.Pid, containerID)
	if err != nil {
		return opened{}, err
	}
	m.watch(process.pidfd)
	m.pid = process.pid
	return process, nil
}

// dyingPatience is how long a process may be on its way out, in milliseconds. The
// kernel takes its namespaces and control groups away some time before it is dead.
const dyingPatience = 1000

// unlessDead turns a failure into "gone" when the process ended meanwhile, which
// makes any look at it fail.
func (m *localMonitor) unlessDead(err error) (gone bool, _ error) {
	if isDead(m.pidfd, dyingPatience) {
		return true, nil
	}
	return false, err
}

// deathPoll is how long one poll of the process descriptor lasts; the end of
// Detach may come this much later.
const deathPoll = 100 // milliseconds

// watch closes dead when the process ends. As it is the first of its process
// namespace, the kernel has by then killed all others in it.
func (m *localMonitor) watch(pidfd int) {
	m.pidfd = pidfd
	m.dead, m.stop, m.ended = make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(m.ended)
		for !isDead(pidfd, deathPoll) {
			select {
			case <-m.stop:
				return
			default:
			}
		}
		close(m.dead)
	}()
}

// isDead waits up to milliseconds for the process to end.
func isDead(pidfd, milliseconds int) bool {
	watched := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		ready, err := unix.Poll(watched, milliseconds)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && ready == 1
		}
	}
}

// Detach implements monitor.
func (m *localMonitor) Detach() {
	m.stats.Detach()
	if m.dead == nil {
		return
	}
	close(m.stop)
	<-m.ended
	unix.Close(m.pidfd)
	m.dead = nil
	if m.denials != nil {
		m.denials.Close()
		m.denials = nil
	}
}

// Dead implements monitor.
func (m *localMonitor) Dead() <-chan struct{} { return m.dead }

// Kill implements monitor. A signal to the first process of a process namespace
// ends all of it, atomically and without the daemon.
func (m *localMonitor) Kill(ctx context.Context, containerID string) error {
	if m.dead == nil {
		return m.killUnseen(ctx, containerID)
	}
	err := unix.PidfdSendSignal(m.pidfd, unix.SIGKILL, nil, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// killUnseen kills a container whose process could not be looked up. A daemon
// that hangs while it starts one has put it below our group already.
func (m *localMonitor) killUnseen(ctx context.Context, containerID string) error {
	if !m.placed {
		return killThroughDaemon(ctx, m.api, containerID)
	}
	if err := m.group.Kill(ctx); err != nil {
		return err
	}
	if err := killThroughDaemon(ctx, m.api, containerID); err != nil && ctx.Err() == nil {
		return err
	}
	return nil // all are dead, or the daemon hangs and has started none
}

// Freeze implements monitor. Where the processes are in a group of ours, which on cgroup v1
// the daemon would not stop with its own, nobody but the kernel is asked.
func (m *localMonitor) Freeze(ctx context.Context, containerID string) error {
	if m.group == nil {
		return m.stats.Freeze(ctx, containerID)
	}
	if err := m.group.Holds(m.pid); err != nil {
		return err
	}
	return m.group.Freeze(ctx)
}

// Still implements monitor.
func (m *localMonitor) Still(ctx context.Context, containerID string) error {
	if m.group == nil {
		return m.stats.Still(ctx, containerID)
	}
	return m.group.Frozen()
}

// Thaw implements monitor.
func (m *localMonitor) Thaw(ctx context.Context, containerID string) error {
	if m.group == nil {
		return m.stats.Thaw(ctx, containerID)
	}
	return m.group.Thaw()
}

// Sample implements meter. While the container runs only CPU time is read:
// the rest costs ten times as much.
func (m *localMonitor) Sample(ctx context.Context) (sample, error) {
	if m.group == nil {
		return m.stats.Sample(ctx)
	}
	if m.dead != nil && !isDead(m.pidfd, 0) {
		used, err := m.group.CPUTime()
		return sample{cpuNanos: used.Nanoseconds()}, err
	}
	used, err := m.group.Usage()
	return sample{cpuNanos: used.CPUTime.Nanoseconds(), memoryPeak: used.MemoryPeakBytes, pidsPeak: used.PIDsPeak}, err
}

// Account implements meter.
func (m *localMonitor) Account(ctx context.Context, containerID string, exitCode int64) (account, error) {
	ended, err := m.counts(ctx, containerID)
	ended.exit, ended.pid = exitFromDaemon(exitCode), m.pid
	if status, known := m.waitStatus(); known {
		ended.exit = exitFromKernel(status)
	}
	return ended, err
}

func (m *localMonitor) counts(ctx context.Context, containerID string) (account, error) {
	ended, err := m.groupCounts(ctx, containerID)
	if err != nil || m.denials == nil {
		return ended, err
	}
	denied, err := m.denials.Count()
	if err == nil && m.group != nil { // no other outlives the container
		denied, err = m.group.OwnDenials(denied)
	}
	ended.pidsDenied = max(ended.pidsDenied, denied)
	return ended, err
}

func (m *localMonitor) groupCounts(ctx context.Context, containerID string) (account, error) {
	if m.group == nil { // the daemon's opinion is all there is
		return m.stats.Account(ctx, containerID, 0)
	}
	used, err := m.group.Usage()
	counts := countsOf(used)
	counts.oomKills += m.early.oomKills
	counts.hostOOMKills += m.early.hostOOMKills
	counts.pidsDenied += m.early.pidsDenied
	if err != nil || m.adopted || m.group.Mode() == cgroup.ModeUnified || counts.oomKills+counts.hostOOMKills > 0 {
		return counts, err
	}
	return m.unseenCounts(ctx, containerID, counts, used)
}

// unseenCounts is about who died, on v1, before it was moved and given anything: the kernel
// counted its oom_kill in Docker's group, which is gone. Docker often has not heard of one that
// came at once, because its shim listens from the end of the start on, and not to a group that is
// being removed (https://github.com/containerd/containerd/issues/8893). But a peak adds up over
// the groups below.
func (m *localMonitor) unseenCounts(ctx context.Context, containerID string, counts account, used cgroup.Usage) (account, error) {
	told, err := m.stats.Account(ctx, containerID, 0)
	counts.oomKills = told.oomKills
	counts.uncounted = used.MemoryMet
	return counts, err
}

// waitStatus asks the kernel (Linux 6.15) how a process that is not our child
// ended. Docker's exit code alone cannot tell exit(137) from SIGKILL.
func (m *localMonitor) waitStatus() (int32, bool) {
	if m.dead == nil {
		return 0, false
	}
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	// #nosec G103 -- x/sys/unix has the structure, but no function for this ioctl.
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(m.pidfd), unix.PIDFD_GET_INFO, uintptr(unsafe.Pointer(&info)))
	return info.Exit_code, errno == 0 && info.Mask&unix.PIDFD_INFO_EXIT != 0
}
