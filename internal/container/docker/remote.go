package docker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"hotcell/internal/panics"
)

const (
	// maxStats bounds one set of figures, in bytes: about 3 kB and some for every CPU.
	maxStats = 1 << 20
	// statsPatience is how long figures may stay away. A daemon sends them every
	// second.
	statsPatience = 15 * time.Second
)

// remoteMonitor watches a container through the daemon's API alone. Its figures
// are up to a second old, and those of the last second are never seen: CPU time
// is a lower bound, and peaks are not told at all.
type remoteMonitor struct {
	api       *client.Client
	confined  confinement
	uncounted bool // the daemon has no figures of CPU time
	cancel    context.CancelFunc
	ended     chan struct{} // closed when the reading goroutine has returned

	mu       sync.Mutex
	cpuNanos int64
	heard    time.Time
	fault    error // why the stream has ended, unless the container did
}

func newStats(api *client.Client, daemon daemon) *remoteMonitor {
	return &remoteMonitor{api: api, confined: daemon.confined, uncounted: !daemon.countsCPU()}
}

// Attach implements monitor. What the daemon accepted was compared at creation, but
// for what it chooses at the start; nothing more can be seen from here.
func (m *remoteMonitor) Attach(ctx context.Context, containerID string, _ int) (bool, error) {
	if m.confined.active {
		found, err := m.api.ContainerInspect(ctx, containerID, client.ContainerInspectOptions{})
		if err != nil {
			return false, fmt.Errorf("inspect container: %w", err)
		}
		if err := m.confined.accepts(found.Container.AppArmorProfile); err != nil {
			return false, err
		}
	}
	if m.uncounted {
		return false, nil
	}
	ctx, m.cancel = context.WithCancel(context.WithoutCancel(ctx))
	m.ended = make(chan struct{})
	m.heard = time.Now()
	go func() {
		defer close(m.ended)
		err := panics.Catch("reading statistics", func() error { return m.read(ctx, containerID) })
		m.mu.Lock()
		defer m.mu.Unlock()
		m.fault = err
	}()
	return false, nil
}

// Detach implements monitor.
func (m *remoteMonitor) Detach() {
	if m.cancel == nil {
		return
	}
	m.cancel()
	<-m.ended
}

// read keeps the newest figures until the container ends.
func (m *remoteMonitor) read(ctx context.Context, containerID string) error {
	answer, err := m.api.ContainerStats(ctx, containerID, client.ContainerStatsOptions{Stream: true})
	if cerrdefs.IsNotFound(err) || cerrdefs.IsConflict(err) {
		return nil // has ended
	}
	if err != nil {
		return fmt.Errorf("ask for statistics: %w", err)
	}
	defer answer.Body.Close()
	limited := &io.LimitedReader{R: answer.Body}
	for decoder := json.NewDecoder(limited); ; { //nolint:forbidigo // the daemon's words, which have members that we do not know
		limited.N = maxStats
		var stats containerapi.StatsResponse
		if err := decoder.Decode(&stats); err != nil {
			return streamFault(ctx, err)
		}
		m.keep(stats)
	}
}

// streamFault takes the stream's end, and our own, for the container's.
func streamFault(ctx context.Context, err error) error {
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("read statistics: %w", err)
	}
	return err
}

func (m *remoteMonitor) keep(stats containerapi.StatsResponse) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// A daemon that could not read them sends empty ones (moby's stats collector), and
	// so do the last ones of a container that has ended.
	if stats.Read.IsZero() || stats.CPUStats.CPUUsage.TotalUsage == 0 {
		return
	}
	m.heard = time.Now()
	m.cpuNanos = max(m.cpuNanos, int64(stats.CPUStats.CPUUsage.TotalUsage))
}

// Dead implements monitor: only the daemon knows.
func (m *remoteMonitor) Dead() <-chan struct{} { return nil }

// Kill implements monitor.
func (m *remoteMonitor) Kill(ctx context.Context, containerID string) error {
	return killThroughDaemon(ctx, m.api, containerID)
}

// freezePause is how long it takes until a daemon is asked again.
const freezePause = 20 * time.Millisecond

// Freeze implements monitor. On cgroup v1 a runtime may give up on processes that fork, or that
// the host does not let run, and lets all go on: it is asked again as long as there is time. A
// daemon learns from an event that it has paused, some time after it has said so.
func (m *remoteMonitor) Freeze(ctx context.Context, containerID string) error {
	return m.insist(ctx, func() (bool, error) {
		_, err := m.api.ContainerPause(ctx, containerID, client.ContainerPauseOptions{})
		if err != nil {
			return cerrdefs.IsNotFound(err), fmt.Errorf("pause container: %w", err)
		}
		return true, m.insist(ctx, func() (bool, error) { return false, m.Still(ctx, containerID) })
	})
}

// insist tries until it succeeds, is told that this was the last time, or ctx ends.
func (m *remoteMonitor) insist(ctx context.Context, try func() (last bool, err error)) error {
	for {
		last, err := try()
		if err == nil || last {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", err, context.Cause(ctx))
		case <-time.After(freezePause):
		}
	}
}

// Still implements monitor.
func (m *remoteMonitor) Still(ctx context.Context, containerID string) error {
	paused, err := m.isPaused(ctx, containerID)
	if err == nil && !paused {
		err = errors.New("the daemon does not say that the container is paused")
	}
	return err
}

func (m *remoteMonitor) isPaused(ctx context.Context, containerID string) (bool, error) {
	found, err := m.api.ContainerInspect(ctx, containerID, client.ContainerInspectOptions{})
	if err != nil {
		return false, fmt.Errorf("inspect container: %w", err)
	}
	state := found.Container.State
	return state != nil && (state.Paused || state.Status == containerapi.StatePaused), nil
}

// thawLooks is how often a container must not be said to be paused, one freezePause after the
// other, where the daemon refuses to let it go on: it may not know yet that it has paused.
const thawLooks = 5

// Thaw implements monitor. It returns when the daemon does not say paused any more: the next
// Freeze must not take that for its own.
func (m *remoteMonitor) Thaw(ctx context.Context, containerID string) error {
	looks := 0
	return m.insist(ctx, func() (bool, error) {
		_, refused := m.api.ContainerUnpause(ctx, containerID, client.ContainerUnpauseOptions{})
		if cerrdefs.IsNotFound(refused) {
			return true, nil
		}
		paused, err := m.isPaused(ctx, containerID)
		if cerrdefs.IsNotFound(err) {
			return true, nil
		}
		if looks++; err == nil && !paused && (refused == nil || looks >= thawLooks) {
			return true, nil
		}
		return false, errors.Join(fmt.Errorf("unpause container: %w", cmp.Or(refused, errStillPaused)), err)
	})
}

var errStillPaused = errors.New("the daemon says that it is paused")

// killThroughDaemon takes a container that has ended already for killed.
func killThroughDaemon(ctx context.Context, api *client.Client, containerID string) error {
	_, err := api.ContainerKill(ctx, containerID, client.ContainerKillOptions{Signal: "SIGKILL"})
	if cerrdefs.IsConflict(err) || cerrdefs.IsNotFound(err) {
		return nil
	}
	return err
}

// Sample implements meter. Figures that stay away are an error: CPU time could
// not be bounded.
func (m *remoteMonitor) Sample(context.Context) (sample, error) {
	if m.uncounted {
		return sample{cpuNanos: -int64(time.Millisecond), memoryPeak: -1, pidsPeak: -1}, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.heard.IsZero() && time.Since(m.heard) > statsPatience {
		return sample{}, fmt.Errorf("docker has sent no statistics for %s", statsPatience)
	}
	return sample{cpuNanos: m.cpuNanos, memoryPeak: -1, pidsPeak: -1}, m.fault
}

// Account implements meter. OOMKilled is the daemon's opinion, not the kernel's
// count: the control oom_kill is not active here.
func (m *remoteMonitor) Account(ctx context.Context, containerID string, exitCode int64) (account, error) {
	found, err := m.api.ContainerInspect(ctx, containerID, client.ContainerInspectOptions{})
	if err != nil {
		return account{}, fmt.Errorf("inspect container: %w", err)
	}
	ended := account{exit: exitFromDaemon(exitCode)}
	if state := found.Container.State; state != nil && state.OOMKilled {
		ended.oomKills = 1
	}
	return ended, nil
}
