package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// limitOpenFiles gives the waiting first process of a container the limit that the
// sandbox is to have. What it executes inherits it.
func limitOpenFiles(pid int, containerID string, files int64) (err error) {
	process, err := openContainer(pid, containerID)
	if err != nil {
		return fmt.Errorf("set %s of container: %w", rlimitOpenFiles, err)
	}
	defer func() { err = errors.Join(err, unix.Close(process.pidfd)) }()
	if err := process.alive(); err != nil {
		return fmt.Errorf("set %s of container: %w", rlimitOpenFiles, err)
	}
	limit := unix.Rlimit{Cur: uint64(files), Max: uint64(files)}
	if err := unix.Prlimit(process.pid, unix.RLIMIT_NOFILE, &limit, nil); err != nil {
		return fmt.Errorf("set %s of container: %w", rlimitOpenFiles, err)
	}
	return nil
}

// limitsSwap says whether this kernel, on cgroup v2, limits the swap of a group.
func limitsSwap() bool {
	found, err := filepath.Glob("/sys/fs/cgroup/*/memory.swap.max")
	return err == nil && len(found) > 0
}

// watch watches Podman's containers through the kernel, whoever's they are: what a
// user's Podman starts, its user may look at.
func (s *sandbox) watch(daemon daemon) {
	stats := newStats(s.engine.api, daemon)
	if daemon.podman == "" {
		s.fittings.watchedBy(stats)
		return
	}
	near := &nearMonitor{localMonitor: &localMonitor{
		api: s.engine.api, limits: s.spec.Enforced(), stats: stats,
		userNamespace: daemon.userNamespace(), noSwapLimit: !daemon.info.SwapLimit, readyPatience: readyTimeout,
		confined: daemon.confined, podman: true,
	}}
	if s.fittings.bundle != nil {
		near.bundle = s.fittings.bundle.Source
	}
	s.fittings.watchedBy(near)
}

// nearMonitor watches a container on this kernel whose output and control group are the
// daemon's. The group is gone with the container, and with it what it has counted.
type nearMonitor struct {
	*localMonitor
	own  *cgroup.Group // the container's; nil before Attach
	last sample
}

// Attach implements monitor.
func (m *nearMonitor) Attach(ctx context.Context, containerID string, prepared int) (bool, error) {
	gone, err := m.localMonitor.Attach(ctx, containerID, prepared)
	if gone || err != nil {
		return gone, err
	}
	process := openProc(m.pid)
	if err := errors.Join(m.checkOwnGroup(process, containerID), m.checkBundle(process)); err != nil {
		return m.unlessDead(fmt.Errorf("%w: %w", errIsolation, err))
	}
	return false, nil
}

// checkOwnGroup looks at the limits where the daemon put the container, because what it says
// of them is an echo: systemd drops without a word those whose controller it does not
// delegate to the user. On v1 that one has the container in another group than the others
// have it.
func (m *nearMonitor) checkOwnGroup(process proc, containerID string) error {
	groups, err := process.cgroups()
	if err != nil {
		return fmt.Errorf("read cgroup: %w", err)
	}
	controller := "pids"
	if mode, err := cgroup.HostMode(); err == nil && mode == cgroup.ModeUnified {
		controller = ""
	}
	path := groupOf(groups, controller)
	inner, err := cgroup.Load(path)
	if err != nil {
		return err
	}
	m.own = inner
	// crun makes a group in the one that it was given by systemd. Its own has every limit;
	// systemd's has as much swap as memory (crun 1.21 hands on the sum of both as
	// MemorySwapMax). What both allow is what a process may have.
	if above := filepath.Dir(path); strings.Contains(above, containerID) {
		if m.own, err = cgroup.Load(above); err != nil {
			return err
		}
	}
	if err := m.own.Holds(m.pid); err != nil {
		return err
	}
	limits, err := m.own.Limits()
	if err != nil {
		return err
	}
	innermost, err := inner.Limits()
	if err != nil {
		return err
	}
	return m.compareLimits(limits.And(innermost))
}

// checkBundle makes sure that the container's bundle is ours, file for file.
func (m *nearMonitor) checkBundle(process proc) error {
	if m.bundle == "" {
		return nil
	}
	ours, err := os.Stat(filepath.Join(m.bundle, bundleManifest))
	if err != nil {
		return fmt.Errorf("look at bundle: %w", err)
	}
	theirs, err := os.Stat(filepath.Join(process.dir, "root", container.BundleDir, bundleManifest))
	if err != nil {
		return fmt.Errorf("look at the container's bundle: %w", err)
	}
	if !os.SameFile(ours, theirs) {
		return errors.New("the container's bundle is another than ours")
	}
	return nil
}

// Sample implements meter: the kernel's figures while the container lives, which are
// there at once, and the last of them afterwards.
func (m *nearMonitor) Sample(ctx context.Context) (sample, error) {
	if m.own == nil || m.dead == nil {
		return m.localMonitor.Sample(ctx)
	}
	used, err := m.own.CPUTime()
	if err != nil && !isDead(m.pidfd, dyingPatience) {
		return sample{}, err
	}
	m.last.cpuNanos = max(m.last.cpuNanos, used.Nanoseconds())
	told, err := m.localMonitor.Sample(ctx)
	told.cpuNanos = max(told.cpuNanos, m.last.cpuNanos)
	return told, err
}
