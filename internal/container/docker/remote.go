package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	cerrdefs "github.com/containerd/errdefs"
	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// maxStats bounds one answer with statistics, in bytes: about 3 kB and some for
// every CPU.
const maxStats = 1 << 20

// remoteMonitor watches a container through the daemon's API alone.
type remoteMonitor struct {
	api         *client.Client
	containerID string
	last        sample
}

// CgroupParent implements monitor.
func (m *remoteMonitor) CgroupParent() string { return "" }

// Attach implements monitor. What the daemon accepted was compared at creation;
// nothing more can be seen from here.
func (m *remoteMonitor) Attach(_ context.Context, containerID string) (bool, error) {
	m.begin(m.api, containerID)
	return false, nil
}

func (m *remoteMonitor) begin(api *client.Client, containerID string) {
	*m = remoteMonitor{api: api, containerID: containerID, last: sample{memoryPeak: -1, pidsPeak: -1}}
}

// Detach implements monitor.
func (m *remoteMonitor) Detach() {}

// Dead implements monitor: only the daemon knows.
func (m *remoteMonitor) Dead() <-chan struct{} { return nil }

// Kill implements monitor.
func (m *remoteMonitor) Kill(ctx context.Context, containerID string) error {
	return killThroughDaemon(ctx, m.api, containerID)
}

// killThroughDaemon takes a container that has ended already for killed.
func killThroughDaemon(ctx context.Context, api *client.Client, containerID string) error {
	_, err := api.ContainerKill(ctx, containerID, client.ContainerKillOptions{Signal: "SIGKILL"})
	if cerrdefs.IsConflict(err) || cerrdefs.IsNotFound(err) {
		return nil
	}
	return err
}

// Sample implements monitor. The daemon answers with zeros once the container has
// ended: then the last figures stand, which miss what was used up since.
func (m *remoteMonitor) Sample(ctx context.Context) (sample, error) {
	answer, err := m.api.ContainerStats(ctx, m.containerID, client.ContainerStatsOptions{})
	if cerrdefs.IsNotFound(err) || cerrdefs.IsConflict(err) {
		return m.last, nil
	}
	if err != nil {
		return sample{}, fmt.Errorf("ask for statistics: %w", err)
	}
	var stats containerapi.StatsResponse
	err = json.NewDecoder(io.LimitReader(answer.Body, maxStats)).Decode(&stats)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return sample{}, fmt.Errorf("read statistics: %w", err)
	}
	m.keep(stats)
	return m.last, nil
}

func (m *remoteMonitor) keep(stats containerapi.StatsResponse) {
	m.last.cpuNanos = max(m.last.cpuNanos, int64(stats.CPUStats.CPUUsage.TotalUsage))
	if peak := int64(stats.MemoryStats.MaxUsage); peak > 0 { // cgroup v1 only
		m.last.memoryPeak = max(m.last.memoryPeak, peak)
	}
}

// Account implements monitor. OOMKilled is the daemon's opinion, not the kernel's
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
