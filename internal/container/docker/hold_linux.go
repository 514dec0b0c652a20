package docker

import "context"

// Freeze implements monitor. The group is the daemon's to freeze, and the kernel's word on it
// is what counts.
func (m *nearMonitor) Freeze(ctx context.Context, containerID string) error {
	if err := m.stats.Freeze(ctx, containerID); err != nil {
		return err
	}
	return m.Still(ctx, containerID)
}

// Still implements monitor.
func (m *nearMonitor) Still(ctx context.Context, containerID string) error {
	if m.own == nil {
		return m.stats.Still(ctx, containerID)
	}
	return m.own.Frozen()
}
