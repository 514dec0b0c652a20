//go:build linux

package oci

import (
	"context"
	"fmt"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
)

// prepared is a sandbox with a guard that was forked and waits.
type prepared struct{ *sandbox }

var _ container.PreparedSandbox = prepared{}

// Host implements container.PreparedSandbox.
func (p prepared) Host() container.Host { return p.host }

// Dead implements container.PreparedSandbox.
func (p prepared) Dead() <-chan struct{} { return p.guard.reap() }

// Tighten implements container.PreparedSandbox.
func (p prepared) Tighten(_ context.Context, tightened container.Tightened) error {
	next, less, err := p.spec.Tighten(tightened)
	if err != nil {
		return fmt.Errorf("tighten sandbox %s: %w", p.id, err)
	}
	if !less {
		return nil
	}
	p.spec = next
	resources := container.Resources(p.limits())
	resources.Devices = nil // as they are
	if p.paths.NoSwapLimit {
		resources.Memory.Swap = nil
	}
	if err := p.group.Update(resources); err != nil {
		return fmt.Errorf("tighten sandbox %s: %w", p.id, err)
	}
	if err := p.verify([]check{
		{container.ControlMemory, memoryLimited}, {container.ControlSwapOff, swapLimited},
		{container.ControlPIDs, pidsLimited}, {container.ControlCPU, cpuLimited},
	}); err != nil {
		return fmt.Errorf("tighten sandbox %s: %w", p.id, err)
	}
	return nil
}

// limitPIDs gives the guard as many processes as any other has: the runtime's own, which
// holds the sandbox's pid namespace, is counted besides.
func (s *sandbox) limitPIDs() error {
	pids := s.limits().PIDs
	return s.group.Update(&specs.LinuxResources{Pids: &specs.LinuxPids{Limit: &pids}})
}
